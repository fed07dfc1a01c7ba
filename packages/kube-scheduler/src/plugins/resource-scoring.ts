import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { isScalarResource, resourceAmount } from '../cache/resources.ts';
import type { DeviceTotals } from './dynamic-resources/device-totals.ts';
import { nodeScoreMax } from './normalize-score.ts';

export interface WeightedResource {
  readonly name: string;
  readonly weight?: number;
}

export interface ShapePoint {
  /** In percent. */
  readonly utilization: number;
  /** 0 to 10. */
  readonly score: number;
}

export interface ScoringStrategy {
  readonly type?: string;
  readonly resources?: readonly WeightedResource[];
  readonly requestedToCapacityRatio?: { readonly shape?: readonly ShapePoint[] };
}

export const cpuAndMemory: readonly WeightedResource[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

type ShareScore = (requested: number, capacity: number) => number;

const shareScores: Readonly<Record<string, (strategy: ScoringStrategy) => ShareScore>> = {
  LeastAllocated: () => (requested, capacity) =>
    requested > capacity ? 0 : Math.trunc(((capacity - requested) * nodeScoreMax) / capacity),
  MostAllocated: () => (requested, capacity) =>
    Math.trunc((Math.min(requested, capacity) * nodeScoreMax) / capacity),
  RequestedToCapacityRatio: (strategy) => alongShape(strategy.requestedToCapacityRatio?.shape ?? []),
};

/** @param devices provides extended resources that nodes don't have themselves */
export type ResourceScorer = (pod: PodInfo, node: NodeInfo, devices?: DeviceTotals) => number;

/**
 * Scores a node by what would remain of each resource with the pod.
 * @throws Error for an unknown strategy
 */
export function scorerOf(strategy: ScoringStrategy = {}): ResourceScorer {
  const type = strategy.type ?? 'LeastAllocated';
  const shareScore = shareScores[type]?.(strategy);
  if (shareScore === undefined) throw new Error(`scoring strategy ${type} is not supported`);
  const resources = strategy.resources ?? cpuAndMemory;
  // RequestedToCapacityRatio excludes resources that score zero from the mean, and rounds it.
  const byShape = type === 'RequestedToCapacityRatio';
  return function scoreResources(pod, node, devices) {
    let sum = 0;
    let weights = 0;
    for (const { name, weight = 1 } of resources) {
      const share = shareOf(pod, node, name, devices);
      if (share === undefined) continue;
      const score = shareScore(share.requested, share.capacity);
      if (byShape && score <= 0) continue;
      sum += score * weight;
      weights += weight;
    }
    if (weights === 0) return 0;
    return byShape ? Math.round(sum / weights) : Math.trunc(sum / weights);
  };
}

/**
 * Includes the pod; undefined for resources that the node lacks, and for extended resources that the pod does not
 * request.
 */
function shareOf(
  pod: PodInfo,
  node: NodeInfo,
  name: string,
  devices: DeviceTotals | undefined,
): { requested: number; capacity: number } | undefined {
  const wanted = resourceAmount(pod.requestsForScore, name);
  if (wanted === 0 && isScalarResource(name)) return undefined;
  const capacity = resourceAmount(node.allocatable, name);
  if (capacity === 0) {
    const total = devices?.(node, name);
    return total && { requested: total.requested + wanted, capacity: total.capacity };
  }
  return { requested: resourceAmount(node.requestedForScore, name) + wanted, capacity };
}

/** Shape scores range to 10, node scores to 100. */
const shapeScale = 10;

function alongShape(shape: readonly ShapePoint[]): ShareScore {
  const points = [...shape].sort((a, b) => a.utilization - b.utilization);
  return (requested, capacity) => {
    const percent = requested > capacity ? 100 : Math.trunc((requested * 100) / capacity);
    const above = points.findIndex((point) => percent <= point.utilization);
    if (above < 0) return (points.at(-1)?.score ?? 0) * shapeScale;
    const right = points[above]!;
    const left = points[above - 1];
    if (left === undefined) return right.score * shapeScale;
    const rise = (right.score - left.score) * shapeScale * (percent - left.utilization);
    return left.score * shapeScale + Math.trunc(rise / (right.utilization - left.utilization));
  };
}
