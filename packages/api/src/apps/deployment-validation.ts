import { goJson, PrintedValue, type FieldError } from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import { rollbackRevisionOf } from './rollback-annotation.ts';
import { podOptions } from '../core/v1/pod/pod-validation-options.ts';
import { immutable, notNegative, Errors } from '../meta/checks.ts';
import {
  intOrPercentValue,
  validateIntOrPercent,
  validateNotOverAll,
  printedCount,
} from '../meta/int-or-percent-validation.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { validateMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import {
  specPath,
  validateAtMostReplicas,
  validateAvailableReady,
  validateCollisionCount,
  validateCounts,
  validateSelectedTemplate,
  validateStrictSelector,
  workloadRules,
} from './workload-validation.ts';
import type { DeploymentSpec, DeploymentStatus, DeploymentStrategy } from './v1/deployment-spec.ts';

type DeploymentObject = StatusObject<DeploymentSpec, DeploymentStatus>;

export function validateDeployment(
  deployment: DeploymentObject,
  old: DeploymentObject | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateMeta(deployment.metadata, old?.metadata, workloadRules, errors);
  const { spec } = deployment;
  notNegative(spec.replicas, specPath, 'replicas', errors);
  validateStrictSelector(spec.selector, 'deployment', errors);
  const options = podOptions(false, context, old?.spec.template);
  validateSelectedTemplate(spec.selector, spec.template, options, errors);
  validateStrategy(spec.strategy ?? {}, errors);
  notNegative(spec.minReadySeconds, specPath, 'minReadySeconds', errors);
  notNegative(spec.revisionHistoryLimit, specPath, 'revisionHistoryLimit', errors);
  const rollback = Number(rollbackRevisionOf(deployment) ?? 0);
  notNegative(rollback, specPath.child('rollback'), 'version', errors);
  const deadline = spec.progressDeadlineSeconds;
  notNegative(deadline, specPath, 'progressDeadlineSeconds', errors);
  if (deadline != null && deadline <= (spec.minReadySeconds ?? 0)) {
    errors.invalid(
      specPath.child('progressDeadlineSeconds'),
      deadline,
      'must be greater than minReadySeconds',
    );
  }
  if (old !== undefined) immutable(spec.selector, old.spec.selector, specPath.child('selector'), errors);
  return errors;
}

function validateStrategy(strategy: DeploymentStrategy, errors: Errors): void {
  const path = specPath.child('strategy');
  const update = strategy.rollingUpdate;
  if (strategy.type === 'Recreate') {
    if (update == null) return;
    errors.forbidden(path.child('rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'");
  } else if (strategy.type !== 'RollingUpdate') {
    errors.notSupported(path, printedStrategy(strategy), ['Recreate', 'RollingUpdate']);
  } else if (update == null) {
    errors.required(path.child('rollingUpdate'), 'this should be defaulted and never be nil');
  } else {
    const at = path.child('rollingUpdate');
    const unavailable = update.maxUnavailable ?? 0;
    const surge = update.maxSurge ?? 0;
    validateIntOrPercent(unavailable, at.child('maxUnavailable'), errors);
    validateIntOrPercent(surge, at.child('maxSurge'), errors);
    if (intOrPercentValue(unavailable) === 0 && intOrPercentValue(surge) === 0) {
      errors.invalid(
        at.child('maxUnavailable'),
        printedCount(unavailable),
        'may not be 0 when `maxSurge` is 0',
      );
    }
    validateNotOverAll(unavailable, at.child('maxUnavailable'), errors);
  }
}

type Strategy = Pick<DeploymentStrategy, 'rollingUpdate'> & { readonly type?: string };

/** Of Deployments and DaemonSets. */
export const printedStrategy = ({ type, rollingUpdate }: Strategy): PrintedValue =>
  new PrintedValue(
    goJson({
      Type: type ?? '',
      RollingUpdate:
        rollingUpdate == null
          ? null
          : { MaxUnavailable: rollingUpdate.maxUnavailable ?? 0, MaxSurge: rollingUpdate.maxSurge ?? 0 },
    }),
  );

export function validateDeploymentStatus(deployment: DeploymentObject, old: DeploymentObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(deployment.metadata, old.metadata, errors);
  const { status } = deployment;
  validateCounts(
    status,
    [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ],
    errors,
  );
  validateAtMostReplicas(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], errors);
  validateAvailableReady(status, 'readyReplicas', errors);
  validateCollisionCount(status, old.status, errors);
  return errors;
}
