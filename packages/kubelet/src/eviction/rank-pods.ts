/** Ranks pods for eviction. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { diskUse, requestOf, type DiskPart, type PodUse } from './pod-usage.ts';
import { signals, type Signal } from './signals.ts';
import type { DiskLayout } from './thresholds.ts';

export type UseOf = (pod: Pod) => PodUse | undefined;
type Compare = (a: Pod, b: Pod) => number;

/** Pods above their request come first, then those with the lowest priority, then those furthest above. */
export function rankPods(
  pods: readonly Pod[],
  signal: Signal,
  useOf: UseOf,
  layout: DiskLayout,
): readonly Pod[] {
  return [...pods].sort(inTurn(orderFor(signal, useOf, layout)));
}

function orderFor(signal: Signal, useOf: UseOf, layout: DiskLayout): readonly Compare[] {
  const { resource } = signals[signal];
  if (resource === 'pids') return [byPriority, byExcess(useOf, ({ processes }) => processes)];
  if (resource === 'memory') {
    const excess = (use: PodUse, pod: Pod) => use.memoryBytes - requestOf(pod, 'memory');
    return [aboveFirst(useOf, excess), byPriority, byExcess(useOf, excess)];
  }
  const parts = partsOn(signal, layout);
  const used = (use: PodUse, pod: Pod) => {
    const { bytes, inodes } = diskUse(pod, use, parts);
    return resource === 'inodes' ? inodes : bytes;
  };
  const excess = (use: PodUse, pod: Pod) => used(use, pod) - requestOf(pod, resource);
  // Upstream subtracts the storage request whatever is counted, even inodes.
  const furthest = (use: PodUse, pod: Pod) => used(use, pod) - requestOf(pod, 'ephemeral-storage');
  return [aboveFirst(useOf, excess), byPriority, byExcess(useOf, furthest)];
}

/** The parts of a pod that are stored on the file system under pressure. */
function partsOn(signal: Signal, layout: DiskLayout): readonly DiskPart[] {
  if (layout === 'one') return ['writable', 'logs', 'volumes'];
  const onImages = signal.startsWith('imagefs.');
  const onContainers = signal.startsWith('containerfs.');
  if (layout === 'images-apart') return onImages || onContainers ? ['writable'] : ['logs', 'volumes'];
  return onImages ? [] : ['writable', 'logs', 'volumes'];
}

const inTurn =
  (compares: readonly Compare[]): Compare =>
  (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };

const byPriority: Compare = (a, b) => (a.spec?.priority ?? 0) - (b.spec?.priority ?? 0);

type Measure = (use: PodUse, pod: Pod) => number;

/** Pods without known usage come first. */
const compareKnown =
  (useOf: UseOf, compare: (a: PodUse, b: PodUse, podA: Pod, podB: Pod) => number): Compare =>
  (a, b) => {
    const [useA, useB] = [useOf(a), useOf(b)];
    if (useA === undefined || useB === undefined)
      return Number(useB === undefined) - Number(useA === undefined);
    return compare(useA, useB, a, b);
  };

const aboveFirst = (useOf: UseOf, excess: Measure): Compare =>
  compareKnown(useOf, (a, b, podA, podB) => Number(excess(b, podB) > 0) - Number(excess(a, podA) > 0));

const byExcess = (useOf: UseOf, excess: Measure): Compare =>
  compareKnown(useOf, (a, b, podA, podB) => excess(b, podB) - excess(a, podA));
