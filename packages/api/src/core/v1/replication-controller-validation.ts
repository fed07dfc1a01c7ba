import { invalidError, labelSelectorOfSet, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import { wasSentEmpty, type ValidationContext } from '@coxswain/schema';
import { inKeyOrder, notNegative, pathOf, Errors } from '../../meta/checks.ts';
import type { StatusObject } from '../../meta/kind-object.ts';
import { longName, validateMeta, validateObjectMetaUpdate } from '../../meta/object-meta-validation.ts';
import { validatePodTemplate } from './pod/pod-template-validation.ts';
import type { PodTemplateSpec } from './pod-template-spec.ts';
import { podOptions } from './pod/pod-validation-options.ts';
import type {
  ReplicationControllerSpec,
  ReplicationControllerStatus,
} from './replication-controller-spec.ts';

type ControllerObject = StatusObject<ReplicationControllerSpec, ReplicationControllerStatus>;

const specPath = pathOf('spec');

export function validateReplicationController(
  controller: ControllerObject,
  old: ControllerObject | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateMeta(controller.metadata, old?.metadata, { namespaced: true, name: longName }, errors);
  const { spec } = controller;
  notNegative(spec.minReadySeconds, specPath, 'minReadySeconds', errors);
  const selector = spec.selector ?? {};
  const isEmpty = Object.keys(selector).length === 0;
  if (isEmpty) errors.required(specPath.child('selector'));
  if (spec.replicas == null) errors.required(specPath.child('replicas'));
  else notNegative(spec.replicas, specPath, 'replicas', errors);
  const path = specPath.child('template');
  const { template } = spec;
  if (template == null) {
    errors.required(path);
    return errors;
  }
  if (!isEmpty && !labelSelectorOfSet(selector).matches(template.metadata?.labels)) {
    errors.push(unmatchedTemplate(template, path));
  }
  validatePodTemplate(template, path, podOptions(false, context, old?.spec.template), errors);
  validateLongRunning(template, path, 'ReplicationController', errors);
  return errors;
}

export const unmatchedTemplate = (template: PodTemplateSpec, path: FieldPath): FieldError =>
  invalidError(
    path.child('metadata', 'labels'),
    inKeyOrder(template.metadata?.labels) ?? (wasSentEmpty(template.metadata, 'labels') ? {} : null),
    '`selector` does not match template `labels`',
  );

/** Pods of a controller that replaces them must restart always. */
export function validateLongRunning(
  template: PodTemplateSpec,
  path: FieldPath,
  kind: string,
  errors: Errors,
): void {
  if (template.spec.restartPolicy !== 'Always') {
    errors.notSupported(path.child('spec', 'restartPolicy'), template.spec.restartPolicy ?? '', ['Always']);
  }
  if (template.spec.activeDeadlineSeconds != null) {
    errors.forbidden(
      path.child('spec', 'activeDeadlineSeconds'),
      `activeDeadlineSeconds in ${kind} is not Supported`,
    );
  }
}

export function validateControllerStatus(controller: ControllerObject, old: ControllerObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(controller.metadata, old.metadata, errors);
  validateReplicaCounts(controller.status, errors);
  return errors;
}

/** Also for ReplicaSets, which have one more count. */
export function validateReplicaCounts(
  status: ReplicationControllerStatus & { terminatingReplicas?: number },
  errors: Errors,
): void {
  const path = pathOf('status');
  for (const name of [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'observedGeneration',
    'terminatingReplicas',
  ] as const) {
    notNegative(status[name], path, name, errors);
  }
  for (const name of ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const) {
    if ((status[name] ?? 0) > (status.replicas ?? 0)) {
      errors.invalid(path.child(name), status[name] ?? 0, 'cannot be greater than status.replicas');
    }
  }
  if ((status.availableReplicas ?? 0) > (status.readyReplicas ?? 0)) {
    errors.invalid(
      path.child('availableReplicas'),
      status.availableReplicas ?? 0,
      'cannot be greater than readyReplicas',
    );
  }
}
