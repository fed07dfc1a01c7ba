import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import { goJson, PrintedValue, validateLabelSelector, type FieldError } from '@coxswain/apimachinery';
import { notNegative, pathOf, Errors } from '../meta/checks.ts';
import { validateConditions } from '../meta/condition-validation.ts';
import { validateIntOrPercent, validateNotOverAll } from '../meta/int-or-percent-validation.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import type { PodDisruptionBudgetSpec, PodDisruptionBudgetStatus } from './v1/pod-disruption-budget-spec.ts';

type Budget = StatusObject<PodDisruptionBudgetSpec, PodDisruptionBudgetStatus>;

const policies = ['AlwaysAllow', 'IfHealthyBudget'];

/** The generic rules validate metadata. */
export function validateBudget({ spec }: Budget, old: Budget | undefined): FieldError[] {
  const errors = new Errors();
  const path = pathOf('spec');
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  if (minAvailable != null && maxUnavailable != null) {
    errors.invalid(path, printed(spec), 'minAvailable and maxUnavailable cannot be both set');
  }
  for (const name of ['minAvailable', 'maxUnavailable'] as const) {
    const count = spec[name];
    if (count == null) continue;
    validateIntOrPercent(count, path.child(name), errors);
    validateNotOverAll(count, path.child(name), errors);
  }
  const selectorPath = path.child('selector');
  const allowInvalidValues =
    old?.spec.selector != null && validateLabelSelector(old.spec.selector, selectorPath).length > 0;
  appendAll(errors, validateLabelSelector(selector, selectorPath, { allowInvalidValues }));
  if (policy != null && !policies.includes(policy)) {
    errors.notSupported(path.child('unhealthyPodEvictionPolicy'), policy, policies);
  }
  return errors;
}

const printed = (spec: PodDisruptionBudgetSpec): PrintedValue =>
  new PrintedValue(
    goJson({
      MinAvailable: spec.minAvailable ?? null,
      Selector: spec.selector ?? null,
      MaxUnavailable: spec.maxUnavailable ?? null,
      UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
    }),
  );

export function validateBudgetStatus({ status }: Budget): FieldError[] {
  const errors = new Errors();
  const path = pathOf('status');
  validateConditions(status.conditions, path.child('conditions'), errors);
  for (const name of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const) {
    notNegative(status[name], path, name, errors);
  }
  return errors;
}
