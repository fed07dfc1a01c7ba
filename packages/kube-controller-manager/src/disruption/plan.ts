/** Computes the disruptions that a budget allows from its spec and the state of its pods. */

import { epochMsOf, formatTime, scaledIntOrPercent, type LabelSelectorSpec } from '@coxswain/apimachinery';
import type { Pod, PodDisruptionBudget } from '../objects.ts';
import { isReady } from '../pods/pod-state.ts';

export type BudgetStatus = NonNullable<PodDisruptionBudget['status']>;
type Condition = NonNullable<BudgetStatus['conditions']>[number];

/** A pod whose eviction was granted should be terminating by then. */
const deletionTimeoutMs = 2 * 60_000;

export interface Expected {
  readonly pods: number;
  readonly healthy: number;
}

/** @param scale returns how many pods the owners of these pods want in total; called only if necessary */
export function expectedPods(
  { spec }: PodDisruptionBudget,
  pods: readonly Pod[],
  scale: () => number,
): Expected {
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable !== undefined && maxUnavailable !== null) {
    const count = scale();
    return { pods: count, healthy: Math.max(0, count - scaledIntOrPercent(maxUnavailable, count, true)) };
  }
  if (minAvailable === undefined || minAvailable === null) return { pods: 0, healthy: 0 };
  if (typeof minAvailable === 'number') return { pods: pods.length, healthy: minAvailable };
  const count = scale();
  return { pods: count, healthy: scaledIntOrPercent(minAvailable, count, true) };
}

export const needsScale = ({ spec }: PodDisruptionBudget): boolean =>
  (spec?.maxUnavailable !== undefined && spec.maxUnavailable !== null) ||
  typeof spec?.minAvailable === 'string';

export interface Disrupted {
  /** Evictions granted for pods that still exist. */
  readonly pods: Record<string, string>;
  readonly overdue: Pod[];
  /** The time until the next of them expires. */
  readonly recheckMs?: number;
}

export function disruptedPods(
  { status }: PodDisruptionBudget,
  pods: readonly Pod[],
  nowMs: number,
): Disrupted {
  const result: Record<string, string> = {};
  const overdue: Pod[] = [];
  let recheckMs: number | undefined;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    const since = status?.disruptedPods?.[name];
    if (deletionTimestamp !== undefined || since === undefined) continue;
    const leftMs = epochMsOf(since) + deletionTimeoutMs - nowMs;
    if (leftMs < 0) {
      overdue.push(pod);
      continue;
    }
    result[name] = since;
    recheckMs = Math.min(recheckMs ?? Infinity, leftMs);
  }
  return { pods: result, overdue, ...(recheckMs === undefined ? {} : { recheckMs }) };
}

export function budgetStatus(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  expected: Expected,
  disrupted: Disrupted,
  nowMs: number,
): BudgetStatus {
  const isGoing = ({ metadata }: Pod) =>
    metadata.deletionTimestamp !== undefined || disrupted.pods[metadata.name ?? ''] !== undefined;
  const healthy = pods.filter((pod) => !isGoing(pod) && isReady(pod)).length;
  const allowed = expected.pods <= 0 ? 0 : Math.max(0, healthy - expected.healthy);
  const { generation = 0 } = budget.metadata;
  const condition = {
    type: 'DisruptionAllowed',
    status: allowed > 0 ? 'True' : 'False',
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: generation,
  };
  return {
    ...(generation ? { observedGeneration: generation } : {}),
    ...(Object.keys(disrupted.pods).length === 0 ? {} : { disruptedPods: disrupted.pods }),
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: expected.healthy,
    expectedPods: expected.pods,
    conditions: withCondition(budget.status?.conditions ?? [], condition, nowMs),
  };
}

/** If nothing can be computed, no disruption is allowed. */
export function failedStatus({ status }: PodDisruptionBudget, message: string, nowMs: number): BudgetStatus {
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'SyncFailed',
    message,
    observedGeneration: status?.observedGeneration ?? 0,
  };
  return {
    ...status,
    disruptionsAllowed: 0,
    currentHealthy: status?.currentHealthy ?? 0,
    desiredHealthy: status?.desiredHealthy ?? 0,
    expectedPods: status?.expectedPods ?? 0,
    conditions: withCondition(status?.conditions ?? [], condition, nowMs),
  };
}

function withCondition(
  conditions: readonly Condition[],
  wanted: Omit<Condition, 'lastTransitionTime'> & { observedGeneration: number },
  nowMs: number,
): Condition[] {
  const before = conditions.find(({ type }) => type === wanted.type);
  const lastTransitionTime = before?.status === wanted.status ? before.lastTransitionTime : formatTime(nowMs);
  const { observedGeneration, ...rest } = wanted;
  const added = {
    ...rest,
    ...(observedGeneration ? { observedGeneration } : {}),
    lastTransitionTime,
  } as Condition;
  return before === undefined
    ? [...conditions, added]
    : conditions.map((one) => (one === before ? added : one));
}

/** Formats a selector as Go prints it, for the event about unmanaged pods. */
export function selectorText(selector: LabelSelectorSpec | null | undefined): string {
  if (!selector) return 'nil';
  const labels = Object.keys(selector.matchLabels ?? {})
    .sort()
    .map((key) => `${key}: ${selector.matchLabels![key]},`);
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
