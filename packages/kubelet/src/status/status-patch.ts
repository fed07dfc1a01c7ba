import { deepEqual } from '@coxswain/apimachinery';
import type { PodCondition, PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { ownedConditions } from './conditions.ts';

/**
 * Returns the strategic merge patch from the stored status to the wanted one; undefined if they are equal. Unchanged
 * fields are omitted, and conditions of others are not modified.
 */
export function statusPatch(pod: Pod, stored: PodStatus | undefined, wanted: PodStatus): object | undefined {
  const status: Record<string, unknown> = {};
  const before: Record<string, unknown> = { ...stored };
  const after: Record<string, unknown> = { ...wanted };
  for (const name of new Set([...Object.keys(after), ...removableFields])) {
    if (name === 'conditions' || deepEqual(before[name], after[name])) continue;
    const replaces = whole.has(name) && before[name] !== undefined;
    if (after[name] !== undefined) status[name] = replaces ? replacing(after[name]) : after[name];
    else if (before[name] !== undefined) status[name] = null;
  }
  const conditions = changedConditions(stored?.conditions ?? [], wanted.conditions ?? []);
  if (conditions.length > 0) {
    status['$setElementOrder/conditions'] = (wanted.conditions ?? []).map(({ type }) => ({ type }));
    status['conditions'] = conditions;
  }
  if (Object.keys(status).length === 0) return undefined;
  return { metadata: { uid: pod.metadata?.uid }, status };
}

/** The disruption condition belongs to whoever causes the disruption. */
const isOwn = ({ type, reason }: PodCondition): boolean =>
  ownedConditions.has(type) || (type === 'DisruptionTarget' && reason === 'TerminationByKubelet');

/** Fields that can be removed again. */
const removableFields = ['reason', 'message', 'podIP', 'podIPs', 'resources', 'allocatedResources'] as const;

/** Maps and lists that must be replaced, since a patch would merge them. */
const whole: ReadonlySet<string> = new Set(['resources', 'allocatedResources', 'podIPs', 'hostIPs']);
const replacing = (value: unknown): object =>
  Array.isArray(value) ? [...value, { $patch: 'replace' }] : { ...(value as object), $patch: 'replace' };

function changedConditions(before: readonly PodCondition[], after: readonly PodCondition[]): object[] {
  const gone = before
    .filter(({ type }) => ownedConditions.has(type) && !after.some((one) => one.type === type))
    .map(({ type }) => ({ type, $patch: 'delete' }));
  const changed = after.flatMap((condition): object[] => {
    if (!isOwn(condition)) return [];
    const known = before.find(({ type }) => type === condition.type);
    if (known === undefined) return [condition];
    const same =
      known.status === condition.status &&
      known.reason === condition.reason &&
      known.message === condition.message &&
      known.observedGeneration === condition.observedGeneration;
    if (same) return [];
    return [{ ...condition, reason: condition.reason ?? null, message: condition.message ?? null }];
  });
  return [...changed, ...gone];
}
