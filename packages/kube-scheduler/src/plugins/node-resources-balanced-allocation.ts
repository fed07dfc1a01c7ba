import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { canBeDevices } from '../cache/extended-resource-classes.ts';
import { isScalarResource, resourceAmount } from '../cache/resources.ts';
import { plugin, type AnyPlugin } from '../framework/plugin.ts';
import { deviceTotals, type DeviceTotals } from './dynamic-resources/device-totals.ts';
import { nodeScoreMax } from './normalize-score.ts';
import { cpuAndMemory, type WeightedResource } from './resource-scoring.ts';

export interface BalancedAllocationArgs {
  readonly resources?: readonly WeightedResource[];
}

/** Prefers nodes whose resource usage would become more balanced with the pod. */
export function nodeResourcesBalancedAllocation(args: BalancedAllocationArgs = {}): AnyPlugin {
  const names = (args.resources ?? cpuAndMemory).map(({ name }) => name);
  const hasDevices = names.some(canBeDevices);
  return plugin<undefined, DeviceTotals | undefined>({
    name: 'NodeResourcesBalancedAllocation',
    preScore: (pod, _nodes, cluster) =>
      names.every((name) => resourceAmount(pod.requests, name) === 0)
        ? 'skip'
        : { state: hasDevices ? deviceTotals(names, cluster) : undefined },
    scoresNodeAlone: (devices) => devices === undefined,
    score(pod, node, devices) {
      const gain = balance(names, node, pod, true, devices) - balance(names, node, pod, false, devices);
      return nodeScoreMax / 2 + Math.trunc((nodeScoreMax / 2 + gain) / 2);
    },
  });
}

/** 100 if all fractions are equal, less with a larger standard deviation. */
function balance(
  names: readonly string[],
  node: NodeInfo,
  pod: PodInfo,
  withPod: boolean,
  devices: DeviceTotals | undefined,
): number {
  if (names.length !== 2) {
    const shares = names
      .map((name) => shareOf(name, node, pod, withPod, devices))
      .filter((share) => share >= 0);
    return Math.trunc((1 - deviation(shares)) * nodeScoreMax);
  }
  // Avoids creating a list in the default case of two resources, since this runs for every pod and node.
  const first = shareOf(names[0]!, node, pod, withPod, devices);
  const second = shareOf(names[1]!, node, pod, withPod, devices);
  const apart = first < 0 || second < 0 ? 0 : Math.abs((first - second) / 2);
  return Math.trunc((1 - apart) * nodeScoreMax);
}

/** The fraction of the resource that would be used, at most 1; -1 if it is not counted. */
function shareOf(
  name: string,
  node: NodeInfo,
  pod: PodInfo,
  withPod: boolean,
  devices: DeviceTotals | undefined,
): number {
  const wanted = resourceAmount(pod.requests, name);
  const capacity = resourceAmount(node.allocatable, name);
  if (wanted === 0 && isScalarResource(name)) return -1;
  if (capacity === 0) {
    const total = devices?.(node, name);
    if (total === undefined) return -1;
    return Math.min(1, (total.requested + (withPod ? wanted : 0)) / total.capacity);
  }
  const requested = resourceAmount(node.requested, name) + (withPod ? wanted : 0);
  return Math.min(1, requested / capacity);
}

function deviation(shares: readonly number[]): number {
  if (shares.length < 2) return 0;
  if (shares.length === 2) return Math.abs((shares[0]! - shares[1]!) / 2);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
}
