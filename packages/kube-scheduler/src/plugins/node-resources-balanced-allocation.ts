import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { isScalarResource, resourceAmount } from '../cache/resources.ts';
import { plugin } from '../framework/plugin.ts';
import type { AnyPlugin } from '../framework/plugin.ts';
import { nodeScoreMax } from './normalize-score.ts';
import { cpuAndMemory } from './resource-scoring.ts';
import type { WeightedResource } from './resource-scoring.ts';

export interface BalancedAllocationArgs {
  readonly resources?: readonly WeightedResource[];
}

/** Prefers nodes whose resources would be used more evenly with the pod than without it. */
export function nodeResourcesBalancedAllocation(args: BalancedAllocationArgs = {}): AnyPlugin {
  const names = (args.resources ?? cpuAndMemory).map(({ name }) => name);
  return plugin({
    name: 'NodeResourcesBalancedAllocation',
    preScore: (pod) =>
      names.every((name) => resourceAmount(pod.requests, name) === 0) ? 'skip' : { state: undefined },
    score(pod, node) {
      const gain = balance(names, node, pod, true) - balance(names, node, pod, false);
      return nodeScoreMax / 2 + Math.trunc((nodeScoreMax / 2 + gain) / 2);
    },
  });
}

/** 100 when all shares are equal, less the further they lie apart (by standard deviation). */
function balance(names: readonly string[], node: NodeInfo, pod: PodInfo, withPod: boolean): number {
  const shares: number[] = [];
  for (const name of names) {
    const wanted = resourceAmount(pod.requests, name);
    const capacity = resourceAmount(node.allocatable, name);
    if (capacity === 0 || (wanted === 0 && isScalarResource(name))) continue;
    const requested = resourceAmount(node.requested, name) + (withPod ? wanted : 0);
    shares.push(Math.min(1, requested / capacity));
  }
  return Math.trunc((1 - deviation(shares)) * nodeScoreMax);
}

function deviation(shares: readonly number[]): number {
  if (shares.length < 2) return 0;
  if (shares.length === 2) return Math.abs((shares[0]! - shares[1]!) / 2);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
}
