/** The common validation of apps' workloads, and that of ReplicaSets. */

import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import {
  labelSelectorFromSpec,
  validateLabelSelector,
  type FieldError,
  type FieldPath,
  type LabelSelector,
} from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import type { PodTemplateSpec } from '../core/v1/pod-template-spec.ts';
import { validatePodTemplate } from '../core/v1/pod/pod-template-validation.ts';
import { podOptions } from '../core/v1/pod/pod-validation-options.ts';
import type { PodOptions } from '../core/v1/pod/pod-options.ts';
import {
  unmatchedTemplate,
  validateLongRunning,
  validateReplicaCounts,
} from '../core/v1/replication-controller-validation.ts';
import { immutable, notNegative, pathOf, Errors } from '../meta/checks.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import type { LabelSelector as SelectorSpec } from '../meta/v1/label-selector.ts';
import type { DeploymentStatus } from './v1/deployment-spec.ts';
import type { ReplicaSetSpec, ReplicaSetStatus } from './v1/replica-set-spec.ts';

export const workloadRules = { namespaced: true, name: subdomainName };
export const specPath = pathOf('spec');

type ReplicaSetObject = StatusObject<ReplicaSetSpec, ReplicaSetStatus>;

export function validateReplicaSet(
  set: ReplicaSetObject,
  old: ReplicaSetObject | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateMeta(set.metadata, old?.metadata, workloadRules, errors);
  const { spec } = set;
  notNegative(spec.replicas, specPath, 'replicas', errors);
  notNegative(spec.minReadySeconds, specPath, 'minReadySeconds', errors);
  validateStrictSelector(spec.selector, 'deployment', errors);
  const options = podOptions(false, context, old?.spec.template);
  validateSelectedTemplate(
    spec.selector,
    spec.template ?? ({ spec: {} } as PodTemplateSpec),
    options,
    errors,
  );
  if (old !== undefined) immutable(spec.selector, old.spec.selector, specPath.child('selector'), errors);
  return errors;
}

export function validateReplicaSetStatus(set: ReplicaSetObject, old: ReplicaSetObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(set.metadata, old.metadata, errors);
  validateReplicaCounts(set.status, errors);
  return errors;
}

/** A selector must exist and not be empty; impossible label values are never allowed. */
export function validateStrictSelector(
  selector: SelectorSpec | null | undefined,
  kind: string,
  errors: Errors,
): void {
  const path = specPath.child('selector');
  if (selector == null) {
    errors.required(path);
    return;
  }
  appendAll(errors, validateLabelSelector(selector, path));
  if (isEmptySelector(selector)) {
    errors.invalid(path, selector, `empty selector is invalid for ${kind}`);
  }
}

export const isEmptySelector = (selector: SelectorSpec): boolean =>
  Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;

/** Undefined for a selector that upstream cannot convert. */
export function selectorOf(spec: SelectorSpec | null | undefined): LabelSelector | undefined {
  try {
    return labelSelectorFromSpec(spec as never);
  } catch {
    return undefined;
  }
}

export function validateSelectedTemplate(
  spec: SelectorSpec | null | undefined,
  template: PodTemplateSpec,
  options: PodOptions,
  errors: Errors,
): void {
  const selector = selectorOf(spec);
  if (selector === undefined) {
    errors.invalid(specPath.child('selector'), spec ?? null, 'invalid label selector');
    return;
  }
  const path = specPath.child('template');
  validateSelects(spec, selector, template, path, errors);
  validatePodTemplate(template, path, options, errors);
  validateLongRunning(template, path, 'ReplicaSet', errors);
}

export function validateSelects(
  spec: SelectorSpec | null | undefined,
  selector: LabelSelector,
  template: PodTemplateSpec,
  path: FieldPath,
  errors: Errors,
): void {
  if ((spec != null && isEmptySelector(spec)) || selector.matches(template.metadata?.labels)) return;
  errors.push(unmatchedTemplate(template, path));
}

type CollisionCount = Pick<DeploymentStatus, 'collisionCount'>;

/** The collision count must not decrease. */
export function validateCollisionCount(status: CollisionCount, old: CollisionCount, errors: Errors): void {
  if (old.collisionCount == null || (status.collisionCount ?? -1) >= old.collisionCount) return;
  errors.invalid(pathOf('status', 'collisionCount'), status.collisionCount ?? 0, 'cannot be decremented');
}

/** No count in `counts` may exceed the first one. */
export function validateCounts<Status extends object>(
  status: Status,
  names: readonly (keyof Status & string)[],
  errors: Errors,
): void {
  for (const name of names) notNegative(status[name] as number | undefined, pathOf('status'), name, errors);
}

export function validateAtMostReplicas<Status extends { replicas?: number }>(
  status: Status,
  names: readonly (keyof Status & string)[],
  errors: Errors,
): void {
  for (const name of names) {
    const count = status[name] as number | undefined;
    if ((count ?? 0) > (status.replicas ?? 0)) {
      errors.invalid(pathOf('status', name), count ?? 0, 'cannot be greater than status.replicas');
    }
  }
}

export function validateAvailableReady(
  status: { availableReplicas?: number; readyReplicas?: number },
  than: string,
  errors: Errors,
): void {
  if ((status.availableReplicas ?? 0) <= (status.readyReplicas ?? 0)) return;
  errors.invalid(
    pathOf('status', 'availableReplicas'),
    status.availableReplicas ?? 0,
    `cannot be greater than ${than}`,
  );
}
