import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import { validateLabelSelector, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import { validatePodTemplate } from '../core/v1/pod/pod-template-validation.ts';
import { podOptions } from '../core/v1/pod/pod-validation-options.ts';
import { unmatchedTemplate, validateLongRunning } from '../core/v1/replication-controller-validation.ts';
import { immutable, notNegative, Errors } from '../meta/checks.ts';
import {
  intOrPercentValue,
  validateIntOrPercent,
  validateNotOverAll,
} from '../meta/int-or-percent-validation.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { validateMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import { printedStrategy } from './deployment-validation.ts';
import {
  isEmptySelector,
  selectorOf,
  specPath,
  validateCollisionCount,
  validateCounts,
  workloadRules,
} from './workload-validation.ts';
import type { DaemonSetSpec, DaemonSetStatus, DaemonSetUpdateStrategy } from './v1/daemon-set-spec.ts';

type DaemonSetObject = StatusObject<DaemonSetSpec, DaemonSetStatus>;

export function validateDaemonSet(
  set: DaemonSetObject,
  old: DaemonSetObject | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateMeta(set.metadata, old?.metadata, workloadRules, errors);
  const { spec } = set;
  const { selector, template } = spec;
  if (old !== undefined) immutable(selector, old.spec.selector, specPath.child('selector'), errors);
  appendAll(errors, validateLabelSelector(selector, specPath.child('selector')));
  const path = specPath.child('template');
  if (selectorOf(selector)?.matches(template.metadata?.labels) === false) {
    errors.push(unmatchedTemplate(template, path));
  }
  if (selector != null && isEmptySelector(selector)) {
    errors.invalid(specPath.child('selector'), selector, 'empty selector is invalid for daemonset');
  }
  validatePodTemplate(template, path, podOptions(false, context, old?.spec.template), errors);
  validateLongRunning(template, path, 'DaemonSet', errors);
  notNegative(spec.minReadySeconds, specPath, 'minReadySeconds', errors);
  validateStrategy(spec.updateStrategy ?? {}, specPath.child('updateStrategy'), errors);
  notNegative(spec.revisionHistoryLimit, specPath, 'revisionHistoryLimit', errors);
  return errors;
}

function validateStrategy(strategy: DaemonSetUpdateStrategy, path: FieldPath, errors: Errors): void {
  if (strategy.type === 'OnDelete') return;
  if (strategy.type !== 'RollingUpdate') {
    errors.notSupported(path, printedStrategy(strategy), ['RollingUpdate', 'OnDelete']);
    return;
  }
  const at = path.child('rollingUpdate');
  if (strategy.rollingUpdate == null) {
    errors.required(at);
    return;
  }
  const unavailable = strategy.rollingUpdate.maxUnavailable ?? 0;
  const surge = strategy.rollingUpdate.maxSurge ?? 0;
  validateIntOrPercent(unavailable, at.child('maxUnavailable'), errors);
  validateIntOrPercent(surge, at.child('maxSurge'), errors);
  validateNotOverAll(unavailable, at.child('maxUnavailable'), errors);
  validateNotOverAll(surge, at.child('maxSurge'), errors);
  const hasUnavailable = intOrPercentValue(unavailable) !== 0;
  const hasSurge = intOrPercentValue(surge) !== 0;
  if (hasUnavailable && hasSurge) {
    errors.invalid(at.child('maxSurge'), surge, 'may not be set when maxUnavailable is non-zero');
  } else if (!hasUnavailable && !hasSurge) {
    errors.required(at.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0');
  }
}

export function validateDaemonSetStatus(set: DaemonSetObject, old: DaemonSetObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(set.metadata, old.metadata, errors);
  validateCounts(
    set.status,
    [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ],
    errors,
  );
  validateCollisionCount(set.status, old.status, errors);
  return errors;
}
