import { termMatches } from '../../cache/affinity-term.ts';
import type { AffinityTerm, LabelledPod } from '../../cache/affinity-term.ts';
import type { NodeInfo } from '../../cache/node-info.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { nodeScoreMax } from '../normalize-score.ts';
import { namespaceLabelsOf } from './required-terms.ts';
import { addToTopology, countAt } from './topology-counts.ts';
import type { TopologyCounts } from './topology-counts.ts';

export interface PreferredOptions {
  /** What a required affinity term of a pod in place is worth to the pods that it wants. */
  readonly hardPodAffinityWeight: number;
  readonly ignorePreferredTermsOfExistingPods: boolean;
}

/** Undefined when nothing speaks for or against any node. */
export function preferredState(
  pod: PodInfo,
  cluster: Cluster,
  options: PreferredOptions,
): TopologyCounts | undefined {
  const counts: TopologyCounts = new Map();
  const namespaceLabels = namespaceLabelsOf(cluster);
  const hasOwn = pod.preferredAffinity.length > 0 || pod.preferredAntiAffinity.length > 0;
  if (options.ignorePreferredTermsOfExistingPods && !hasOwn) return undefined;
  const weigh = (terms: readonly AffinityTerm[], target: LabelledPod, node: NodeInfo, factor: number) => {
    for (const term of terms) {
      if (termMatches(term, target, namespaceLabels))
        addToTopology(counts, node, term.topologyKey, term.weight * factor);
    }
  };
  for (const node of cluster.nodesWithAffinity) {
    for (const other of node.podsWithAffinity.values()) {
      const required = other.requiredAffinity.map((term) => ({
        ...term,
        weight: options.hardPodAffinityWeight,
      }));
      weigh(required, pod, node, 1);
      weigh(other.preferredAffinity, pod, node, 1);
      weigh(other.preferredAntiAffinity, pod, node, -1);
    }
  }
  if (hasOwn) {
    for (const node of cluster.nodes) {
      for (const { sample, all } of node.labelGroups.values()) {
        weigh(pod.preferredAffinity, sample, node, all);
        weigh(pod.preferredAntiAffinity, sample, node, -all);
      }
    }
  }
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
