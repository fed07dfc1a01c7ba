import { checkDnsLabel, goJson, PrintedValue, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import { goEqual, type ValidationContext } from '@coxswain/schema';
import { validateClaimSpec } from '../core/v1/volume/persistent-volume-claim-spec-validation.ts';
import { validatePodAnnotations } from '../core/v1/pod/pod-annotation-validation.ts';
import type { PodTemplateSpec } from '../core/v1/pod-template-spec.ts';
import { validatePodTemplate } from '../core/v1/pod/pod-template-validation.ts';
import { podOptions } from '../core/v1/pod/pod-validation-options.ts';
import type { PodOptions } from '../core/v1/pod/pod-options.ts';
import { validateLongRunning } from '../core/v1/replication-controller-validation.ts';
import { checkMember, notNegative, oneOfSupported, Errors } from '../meta/checks.ts';
import {
  intOrPercentValue,
  validateIntOrPercent,
  validateNotOverAll,
} from '../meta/int-or-percent-validation.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import {
  labelName,
  validateAnnotations,
  validateLabels,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../meta/object-meta-validation.ts';
import {
  selectorOf,
  specPath,
  validateAtMostReplicas,
  validateAvailableReady,
  validateCollisionCount,
  validateCounts,
  validateSelects,
  validateStrictSelector,
} from './workload-validation.ts';
import {
  StatefulSetSpec,
  type StatefulSetStatus,
  type StatefulSetUpdateStrategy,
} from './v1/stateful-set-spec.ts';

type StatefulSetObject = StatusObject<StatefulSetSpec, StatefulSetStatus>;

export function validateStatefulSet(
  set: StatefulSetObject,
  old: StatefulSetObject | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  const options = podOptions(false, context, old?.spec.template);
  if (old === undefined) {
    validateObjectMeta(set.metadata, { namespaced: true, name: labelName }, errors);
    validateSpec(set.spec, options, { isUpdate: false, skipTemplate: false }, errors);
    return errors;
  }
  validateObjectMetaUpdate(set.metadata, old.metadata, errors);
  const stored = new Errors();
  validateSpec(old.spec, options, { isUpdate: true, skipTemplate: false }, stored);
  validateSpec(set.spec, options, { isUpdate: true, skipTemplate: stored.length > 0 }, errors);
  if (!goEqual(StatefulSetSpec, fixedPart(set.spec), fixedPart(old.spec), 'semantic')) {
    errors.forbidden(
      specPath,
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    );
  }
  return errors;
}

function fixedPart(spec: StatefulSetSpec): Partial<StatefulSetSpec> {
  const {
    replicas: _replicas,
    template: _template,
    updateStrategy: _strategy,
    minReadySeconds: _seconds,
    ordinals: _ordinals,
    revisionHistoryLimit: _limit,
    persistentVolumeClaimRetentionPolicy: _policy,
    ...fixed
  } = spec;
  return fixed;
}

interface Situation {
  /** Immutable parts are not validated again. */
  readonly isUpdate: boolean;
  readonly skipTemplate: boolean;
}

function validateSpec(
  spec: StatefulSetSpec,
  options: PodOptions,
  { isUpdate, skipTemplate }: Situation,
  errors: Errors,
): void {
  validateManagement(spec.podManagementPolicy, errors);
  validateStrategy(spec.updateStrategy ?? {}, specPath.child('updateStrategy'), errors);
  const retention = spec.persistentVolumeClaimRetentionPolicy;
  if (retention != null) {
    const path = specPath.child('persistentVolumeClaimRetentionPolicy');
    for (const name of ['whenDeleted', 'whenScaled'] as const) {
      oneOfSupported(retention[name], path, name, ['Retain', 'Delete'], errors);
    }
  }
  const claims = spec.volumeClaimTemplates ?? [];
  if (!isUpdate) {
    for (const [index, claim] of claims.entries()) {
      const path = specPath.child('volumeClaimTemplates').index(index).child('spec');
      validateClaimSpec(claim.spec, path, errors);
    }
  }
  notNegative(spec.replicas, specPath, 'replicas', errors);
  notNegative(spec.minReadySeconds, specPath, 'minReadySeconds', errors);
  notNegative(spec.ordinals?.start, specPath, 'ordinals.start', errors);
  if (!isUpdate && spec.serviceName) {
    checkMember(spec.serviceName, specPath, 'serviceName', checkDnsLabel, errors);
  }
  validateStrictSelector(spec.selector, 'statefulset', errors);
  const path = specPath.child('template');
  const selector = selectorOf(spec.selector);
  if (selector === undefined) {
    errors.invalid(specPath.child('selector'), spec.selector, '');
  } else {
    const template = madeTemplate(spec.template, claims);
    validateSelects(spec.selector, selector, template, path, errors);
    if (!skipTemplate) validatePodTemplate(template, path, options, errors);
    validateLabels(template.metadata?.labels, path, 'labels', errors);
    validateAnnotations(template.metadata?.annotations, path, errors);
    validatePodAnnotations(
      template.metadata?.annotations,
      template.spec,
      path.child('annotations'),
      options,
      errors,
    );
  }
  validateLongRunning(spec.template, path, 'StatefulSet', errors);
}

/** As the controller makes pods from it: with a volume for every claim, and a host name. */
function madeTemplate(
  template: PodTemplateSpec,
  claims: NonNullable<StatefulSetSpec['volumeClaimTemplates']>,
): PodTemplateSpec {
  const { hostname, subdomain } = template.spec;
  if (!hostname && !subdomain && claims.length === 0) return template;
  const spec = { ...template.spec };
  delete spec.hostname;
  delete spec.subdomain;
  if (claims.length > 0) {
    const names = [...new Set(claims.map((claim) => claim.metadata?.name ?? ''))];
    const others = (spec.volumes ?? []).filter((volume) => !names.includes(volume.name));
    const ofClaims = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
    spec.volumes = [...ofClaims, ...others] as typeof others;
  }
  return { ...template, spec };
}

function validateManagement(policy: string | undefined, errors: Errors): void {
  const path = specPath.child('podManagementPolicy');
  if (!policy) errors.required(path);
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.invalid(path, policy, "must be 'OrderedReady' or 'Parallel'");
  }
}

function validateStrategy(strategy: StatefulSetUpdateStrategy, path: FieldPath, errors: Errors): void {
  const update = strategy.rollingUpdate;
  if (!strategy.type) errors.required(path);
  else if (strategy.type === 'OnDelete') {
    if (update == null) return;
    errors.invalid(
      path.child('rollingUpdate'),
      new PrintedValue(goJson(printedUpdate(update))),
      "only allowed for updateStrategy 'RollingUpdate'",
    );
  } else if (strategy.type !== 'RollingUpdate') {
    const printed = { Type: strategy.type, RollingUpdate: update == null ? null : printedUpdate(update) };
    errors.invalid(path, new PrintedValue(goJson(printed)), "must be 'RollingUpdate' or 'OnDelete'");
  } else if (update != null) {
    const at = path.child('rollingUpdate');
    notNegative(update.partition, at, 'partition', errors);
    if (update.maxUnavailable == null) return;
    const most = at.child('maxUnavailable');
    validateIntOrPercent(update.maxUnavailable, most, errors);
    if (intOrPercentValue(update.maxUnavailable) === 0) {
      errors.invalid(most, update.maxUnavailable, 'cannot be 0');
    }
    validateNotOverAll(update.maxUnavailable, most, errors);
  }
}

const printedUpdate = ({
  partition,
  maxUnavailable,
}: NonNullable<StatefulSetUpdateStrategy['rollingUpdate']>): object => ({
  Partition: partition ?? 0,
  MaxUnavailable: maxUnavailable ?? null,
});

export function validateStatefulSetStatus(set: StatefulSetObject, old: StatefulSetObject): FieldError[] {
  const errors = new Errors();
  const { status } = set;
  validateCounts(
    status,
    [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ],
    errors,
  );
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  validateAtMostReplicas(status, parts, errors);
  validateAvailableReady(status, 'status.readyReplicas', errors);
  validateObjectMetaUpdate(set.metadata, old.metadata, errors);
  validateCollisionCount(status, old.status, errors);
  return errors;
}
