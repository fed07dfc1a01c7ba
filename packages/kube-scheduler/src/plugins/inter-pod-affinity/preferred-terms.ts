import { termMatches, type AffinityTerm, type LabelledPod } from '../../cache/affinity-term.ts';
import type { NodeInfo } from '../../cache/node-info.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { nodeScoreMax } from '../normalize-score.ts';
import { namespaceLabelsOf, targetKey, termsKey } from './required-terms.ts';
import { countAt, topologySum, type CountShare, type TopologyCounts } from './topology-counts.ts';

export interface PreferredOptions {
  /** The weight of an existing pod's required affinity term for the pods that it selects. */
  readonly hardPodAffinityWeight: number;
  readonly ignorePreferredTermsOfExistingPods: boolean;
}

/** Undefined if no preference applies to any node. */
export function preferredState(
  pod: PodInfo,
  cluster: Cluster,
  options: PreferredOptions,
): TopologyCounts | undefined {
  const { preferredAffinity, preferredAntiAffinity } = pod;
  const hasOwn = preferredAffinity.length > 0 || preferredAntiAffinity.length > 0;
  if (!hasOwn && (options.ignorePreferredTermsOfExistingPods || !cluster.hasAffinity)) return undefined;
  const namespaceLabels = namespaceLabelsOf(cluster);
  const sharesOf = (node: NodeInfo, count: CountShare) => {
    const weigh = (terms: readonly AffinityTerm[], target: LabelledPod, factor: number, weight?: number) => {
      for (const term of terms) {
        if (termMatches(term, target, namespaceLabels))
          count(term.topologyKey, (weight ?? term.weight) * factor);
      }
    };
    for (const other of node.podsWithAffinity.values()) {
      weigh(other.requiredAffinity, pod, 1, options.hardPodAffinityWeight);
      weigh(other.preferredAffinity, pod, 1);
      weigh(other.preferredAntiAffinity, pod, -1);
    }
    if (!hasOwn) return;
    for (const { sample, all } of node.labelGroups.values()) {
      weigh(preferredAffinity, sample, all);
      weigh(preferredAntiAffinity, sample, -all);
    }
  };
  const own = hasOwn
    ? `${termsKey(preferredAffinity, cluster)} but ${termsKey(preferredAntiAffinity, cluster)}`
    : '';
  const counts = cluster.sumOf(
    `preferred ${options.hardPodAffinityWeight} ${targetKey(pod, namespaceLabels)} ${own}`,
    () => topologySum(sharesOf),
    hasOwn ? undefined : () => cluster.nodesWithAffinity,
  );
  return counts.size === 0 ? undefined : counts;
}

export function preferredScore(counts: TopologyCounts, node: NodeInfo): number {
  let score = 0;
  for (const key of counts.keys()) score += countAt(counts, node, key);
  return score;
}

export function normalizePreferred(scores: number[]): void {
  const min = Math.min(...scores);
  const range = Math.max(...scores) - min;
  for (let index = 0; index < scores.length; index++) {
    scores[index] = range === 0 ? 0 : Math.trunc(nodeScoreMax * ((scores[index]! - min) / range));
  }
}
