/** The order in which surplus pods are deleted: the least useful first. */

import { epochMsOf } from '@coxswain/apimachinery';
import type { Pod } from '../objects.ts';
import { isReady, readySinceMs } from './pod-state.ts';

export interface RankedPod {
  readonly pod: Pod;
  /** The number of related pods on its node. */
  readonly rank: number;
}

const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

/** Sorts in place; the first to delete comes first. */
export function byDeletionOrder(pods: RankedPod[], nowMs: number): RankedPod[] {
  const order = criteria(nowMs);
  return pods.sort((a, b) => {
    for (const compare of order) {
      const result = compare(a, b);
      if (result !== 0) return result;
    }
    return 0;
  });
}

type Compare = (a: RankedPod, b: RankedPod) => number;

const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
const phaseOf = ({ pod }: RankedPod): number => phaseRank[pod.status?.phase ?? ''] ?? 0;

function criteria(nowMs: number): readonly Compare[] {
  return [
    // Unassigned before assigned.
    (a, b) => Number(Boolean(a.pod.spec?.nodeName)) - Number(Boolean(b.pod.spec?.nodeName)),
    (a, b) => phaseOf(a) - phaseOf(b),
    (a, b) => Number(isReady(a.pod)) - Number(isReady(b.pod)),
    (a, b) => deletionCost(a.pod) - deletionCost(b.pod),
    // Pods on nodes with more related pods come first.
    (a, b) => b.rank - a.rank,
    (a, b) =>
      isReady(a.pod) && isReady(b.pod) ? byAge(readySinceMs(a.pod), readySinceMs(b.pod), nowMs, a, b) : 0,
    (a, b) => compareRestarts(a.pod, b.pod),
    (a, b) => byAge(createdMs(a.pod), createdMs(b.pod), nowMs, a, b),
  ];
}

function deletionCost(pod: Pod): number {
  const value = pod.metadata.annotations?.[deletionCostAnnotation];
  return value !== undefined && /^(0|-?[1-9][0-9]*)$/.test(value) ? Number(value) : 0;
}

/** Younger pods come first; with about the same age (by order of magnitude), the one with the smaller uid. */
function byAge(
  a: number | undefined,
  b: number | undefined,
  nowMs: number,
  left: RankedPod,
  right: RankedPod,
): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  const rankA = logarithm(nowMs - a);
  const rankB = logarithm(nowMs - b);
  if (rankA !== rankB) return rankA - rankB;
  return (left.pod.metadata.uid ?? '') < (right.pod.metadata.uid ?? '') ? -1 : 1;
}

const logarithm = (ageMs: number): number => (ageMs < 1 ? 0 : Math.floor(Math.log2(ageMs * 1e6)));

const createdMs = (pod: Pod): number | undefined =>
  pod.metadata.creationTimestamp === undefined ? undefined : epochMsOf(pod.metadata.creationTimestamp);

function compareRestarts(a: Pod, b: Pod): number {
  const [regularA, sidecarA] = restarts(a);
  const [regularB, sidecarB] = restarts(b);
  return regularB - regularA || sidecarB - sidecarA;
}

/** The maximum restart count of containers, and of sidecars. */
function restarts(pod: Pod): readonly [number, number] {
  const most = (statuses: readonly { restartCount?: number }[] | undefined) =>
    Math.max(0, ...(statuses ?? []).map((status) => status.restartCount ?? 0));
  const sidecars = new Set(
    (pod.spec?.initContainers ?? [])
      .filter((container) => container.restartPolicy === 'Always')
      .map((container) => container.name),
  );
  const sidecarStatuses = (pod.status?.initContainerStatuses ?? []).filter((status) =>
    sidecars.has(status.name),
  );
  return [most(pod.status?.containerStatuses), most(sidecarStatuses)];
}
