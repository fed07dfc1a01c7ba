import * as t from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const PodDisruptionBudgetSpec = t.struct('policy/v1.PodDisruptionBudgetSpec', {
  minAvailable: t.pointer(1, t.intOrString),
  selector: t.pointer(2, LabelSelector, { patch: 'replace' }),
  maxUnavailable: t.pointer(3, t.intOrString),
  unhealthyPodEvictionPolicy: t.pointer(
    4,
    t.named('v1.UnhealthyPodEvictionPolicyType', t.oneOf(['IfHealthyBudget', 'AlwaysAllow'])),
  ),
});
export interface PodDisruptionBudgetSpec extends t.Static<typeof PodDisruptionBudgetSpec> {}

export const PodDisruptionBudgetStatus = t.struct('policy/v1.PodDisruptionBudgetStatus', {
  observedGeneration: t.optional(1, t.int64),
  disruptedPods: t.optional(2, t.map(t.time)),
  disruptionsAllowed: t.always(3, t.int32),
  currentHealthy: t.always(4, t.int32),
  desiredHealthy: t.always(5, t.int32),
  expectedPods: t.always(6, t.int32),
  conditions: t.optional(7, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface PodDisruptionBudgetStatus extends t.Static<typeof PodDisruptionBudgetStatus> {}
