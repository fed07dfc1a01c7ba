/** The taints that reflect a node's conditions. */

import { formatTime } from '@coxswain/apimachinery';
import type { Node } from '../objects.ts';

export type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

export const notReadyTaint = 'node.kubernetes.io/not-ready';
export const unreachableTaint = 'node.kubernetes.io/unreachable';
const unschedulableTaint = 'node.kubernetes.io/unschedulable';

const taintOfCondition: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: notReadyTaint, Unknown: unreachableTaint },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
};

const managedKeys: ReadonlySet<string> = new Set([
  unschedulableTaint,
  ...Object.values(taintOfCondition).flatMap((byStatus) => Object.values(byStatus)),
]);

/** Returns all taints of the node with scheduling taints that match its conditions; the same list if unchanged. */
export function withSchedulingTaints(node: Node, nowMs: number): readonly Taint[] {
  const current = node.spec?.taints ?? [];
  const wanted = new Set(
    (node.status?.conditions ?? []).flatMap(({ type, status }) => taintOfCondition[type]?.[status] ?? []),
  );
  if (node.spec?.unschedulable) wanted.add(unschedulableTaint);
  const isManaged = ({ key, effect }: Taint) => effect === 'NoSchedule' && managedKeys.has(key);
  const kept = current.filter((taint) => !isManaged(taint) || wanted.has(taint.key));
  const present = new Set(kept.filter(isManaged).map(({ key }) => key));
  const missing = [...wanted].filter((key) => !present.has(key));
  if (kept.length === current.length && missing.length === 0) return current;
  return [...kept, ...missing.map((key) => newTaint(key, 'NoSchedule', nowMs))];
}

export const hasEvictionTaint = (node: Node, key: string): boolean =>
  (node.spec?.taints ?? []).some((taint) => taint.key === key && taint.effect === 'NoExecute');

/** Returns the taints with this eviction taint, or without any; the same list if unchanged. */
export function withEvictionTaint(node: Node, key: string | undefined, nowMs: number): readonly Taint[] {
  const current = node.spec?.taints ?? [];
  const isEviction = (taint: Taint) =>
    taint.effect === 'NoExecute' && (taint.key === notReadyTaint || taint.key === unreachableTaint);
  const others = current.filter((taint) => !isEviction(taint) || taint.key === key);
  const present = key === undefined || others.some((taint) => isEviction(taint));
  if (present && others.length === current.length) return current;
  return present ? others : [...others, newTaint(key, 'NoExecute', nowMs)];
}

const newTaint = (key: string, effect: Taint['effect'], nowMs: number): Taint => ({
  key,
  effect,
  timeAdded: formatTime(nowMs),
});
