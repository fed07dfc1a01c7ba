import type { NumbersOfNodes } from '../../cache/numbers-of-nodes.ts';
import { hostnameLabel, type NodeInfo } from '../../cache/node-info.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { nodeScoreMax } from '../normalize-score.ts';
import { hasAllKeys, type Constraint } from './constraint.ts';
import { scoreCounts, type ScoreCounts } from './spread-counts.ts';

/** The state for scoring nodes. */
export interface SpreadState {
  readonly constraints: readonly Constraint[];
  /** The candidates' domains, except for the hostname, where each node counts separately. */
  readonly domains: readonly Map<string, number>[];
  readonly onNode: ScoreCounts['onNode'];
  /** Compensates for the smaller counts of constraints with many domains. */
  readonly weights: readonly number[];
  /** Candidates without all the labels, which get the lowest score. */
  readonly ignored: ReadonlySet<NodeInfo>;
}

export function spreadState(
  pod: PodInfo,
  constraints: readonly Constraint[],
  candidates: readonly NodeInfo[],
  needsAllKeys: boolean,
  cluster: Cluster,
): SpreadState {
  const ignored = new Set(needsAllKeys ? candidates.filter((node) => !hasAllKeys(node, constraints)) : []);
  const domains = constraints.map(({ topologyKey }) => {
    const counted = new Map<string, number>();
    if (topologyKey === hostnameLabel) return counted;
    let last: string | undefined;
    for (const node of candidates) {
      const domain = node.label(topologyKey) ?? '';
      // Consecutive nodes are often in the same domain, and always if none has the label.
      if (domain === last || ignored.has(node)) continue;
      counted.set(domain, 0);
      last = domain;
    }
    return counted;
  });
  const weights = constraints.map(({ topologyKey }, index) =>
    Math.log((topologyKey === hostnameLabel ? candidates.length - ignored.size : domains[index]!.size) + 2),
  );
  const counted = scoreCounts(pod, constraints, needsAllKeys, cluster);
  domains.forEach((ofCandidates, index) => {
    for (const domain of ofCandidates.keys())
      ofCandidates.set(domain, counted.domains[index]!.get(domain) ?? 0);
  });
  return { constraints, domains, onNode: counted.onNode, weights, ignored };
}

export function spreadScore(
  { constraints, domains, onNode, weights, ignored }: SpreadState,
  pod: PodInfo,
  node: NodeInfo,
): number {
  if (ignored.size > 0 && ignored.has(node)) return 0;
  let score = 0;
  for (let index = 0; index < constraints.length; index++) {
    const { topologyKey, selector, maxSkew } = constraints[index]!;
    const domain = node.label(topologyKey);
    if (domain === undefined) continue;
    const count =
      topologyKey === hostnameLabel
        ? countOnNode(onNode[index]!, node, pod.namespace, selector)
        : (domains[index]!.get(domain) ?? 0);
    score += count * weights[index]! + (maxSkew - 1);
  }
  return Math.round(score);
}

/** Without a closure for each of the compared nodes. */
function countOnNode(
  known: NumbersOfNodes,
  node: NodeInfo,
  namespace: string,
  selector: Constraint['selector'],
): number {
  let count = known.get(node);
  if (count === undefined) known.keep(node, (count = node.countPods(namespace, selector)));
  return count;
}

/** Fewer matching pods are better. */
export function normalizeSpread(
  scores: number[],
  { ignored }: SpreadState,
  nodes: readonly NodeInfo[],
): void {
  const counts = (index: number) => ignored.size === 0 || !ignored.has(nodes[index]!);
  let min = Infinity;
  let max = 0;
  for (let index = 0; index < scores.length; index++) {
    if (!counts(index)) continue;
    const score = scores[index]!;
    if (score < min) min = score;
    if (score > max) max = score;
  }
  for (let index = 0; index < scores.length; index++) {
    if (!counts(index)) scores[index] = 0;
    else if (max === 0) scores[index] = nodeScoreMax;
    else scores[index] = Math.trunc((nodeScoreMax * (max + min - scores[index]!)) / max);
  }
}
