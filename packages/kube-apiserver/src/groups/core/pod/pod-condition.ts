import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';

type Condition = NonNullable<PodStatus['conditions']>[number];

/** Sets a condition in the status; its time changes only with the condition's status. */
export function setPodCondition(
  status: PodStatus,
  condition: Pick<Condition, 'type' | 'status'> & Partial<Condition>,
  now: string,
): PodStatus {
  const old = status.conditions?.find(({ type }) => type === condition.type);
  const unchanged = old !== undefined && old.status === condition.status;
  const next = {
    lastProbeTime: null,
    ...condition,
    lastTransitionTime: unchanged ? old.lastTransitionTime : now,
  } as unknown as Condition;
  const conditions = status.conditions ?? [];
  return {
    ...status,
    conditions:
      old === undefined ? [...conditions, next] : conditions.map((one) => (one === old ? next : one)),
  };
}
