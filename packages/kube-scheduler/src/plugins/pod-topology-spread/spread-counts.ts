import { hostnameLabel, type NodeInfo } from '../../cache/node-info.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import { NumbersOfNodes } from '../../cache/numbers-of-nodes.ts';
import type { NodeSum } from '../../cache/running-sums.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { requiredNodeMatcher } from '@coxswain/api/core/v1/pod/node-matching.ts';
import { counts, hasAllKeys, type Constraint } from './constraint.ts';

/** Matching pods by constraint and domain, over all eligible nodes: those with the labels of all constraints. */
export interface SpreadCounts {
  /** Includes domains without such pods. */
  readonly domains: readonly Map<string, number>[];
  /** The smallest count per constraint, computed on demand and discarded when a count changes. */
  readonly minima: (number | undefined)[];
}

/** One node's contribution to one constraint. */
interface Share {
  readonly domain: string;
  readonly count: number;
}

export function spreadCounts(
  pod: PodInfo,
  constraints: readonly Constraint[],
  cluster: Cluster,
): SpreadCounts {
  return cluster.sumOf(`spread ${spreadKey(pod, constraints)}`, () => spreadSum(pod, constraints));
}

function spreadSum(
  pod: PodInfo,
  constraints: readonly Constraint[],
): NodeSum<SpreadCounts, readonly (Share | undefined)[]> {
  const matches = requiredNodeMatcher(pod.pod);
  const domains = constraints.map(() => new Map<string, number>());
  const nodes = constraints.map(() => new Map<string, number>());
  const minima: (number | undefined)[] = constraints.map(() => undefined);
  const shareOf = (constraint: Constraint, node: NodeInfo): Share | undefined =>
    counts(constraint, pod, node, matches)
      ? {
          domain: node.label(constraint.topologyKey) ?? '',
          count: node.countPods(pod.namespace, constraint.selector),
        }
      : undefined;
  return {
    sum: { domains, minima },
    partOf: (node) =>
      hasAllKeys(node, constraints) ? constraints.map((constraint) => shareOf(constraint, node)) : undefined,
    add(shares, sign) {
      for (let index = 0; index < shares.length; index++) {
        const share = shares[index];
        if (share === undefined) continue;
        minima[index] = undefined;
        const { domain, count } = share;
        const nodesLeft = (nodes[index]!.get(domain) ?? 0) + sign;
        nodes[index]!.set(domain, nodesLeft);
        if (nodesLeft > 0) domains[index]!.set(domain, (domains[index]!.get(domain) ?? 0) + sign * count);
        else {
          nodes[index]!.delete(domain);
          domains[index]!.delete(domain);
        }
      }
    },
  };
}

/** The input of scores: nodes without matching pods, usually the majority, contribute nothing. */
export interface ScoreCounts {
  /** Matching pods by constraint and domain; unused for the hostname, where each node counts separately. */
  readonly domains: readonly ReadonlyMap<string, number>[];
  /** Cached numbers of matching pods per node, by constraint. */
  readonly onNode: readonly NumbersOfNodes[];
}

/** With `needsAllKeys`, only nodes with the labels of all constraints count. */
export function scoreCounts(
  pod: PodInfo,
  constraints: readonly Constraint[],
  needsAllKeys: boolean,
  cluster: Cluster,
): ScoreCounts {
  const key = `spread score ${needsAllKeys} ${spreadKey(pod, constraints)}`;
  return cluster.sumOf(key, () => scoreSum(pod, constraints, needsAllKeys));
}

function scoreSum(
  pod: PodInfo,
  constraints: readonly Constraint[],
  needsAllKeys: boolean,
): NodeSum<ScoreCounts, ReadonlyMap<number, Share>> {
  const matches = requiredNodeMatcher(pod.pod);
  const domains = constraints.map(() => new Map<string, number>());
  const shareOf = (constraint: Constraint, node: NodeInfo): Share | undefined => {
    const { topologyKey, selector } = constraint;
    const domain = topologyKey === hostnameLabel ? undefined : node.label(topologyKey);
    if (domain === undefined) return undefined;
    const count = node.countPods(pod.namespace, selector);
    return count > 0 && counts(constraint, pod, node, matches) ? { domain, count } : undefined;
  };
  return {
    sum: { domains, onNode: constraints.map(() => new NumbersOfNodes()) },
    partOf(node) {
      let shares: Map<number, Share> | undefined;
      constraints.forEach((constraint, index) => {
        const share = shareOf(constraint, node);
        if (share !== undefined) (shares ??= new Map()).set(index, share);
      });
      return shares === undefined || (needsAllKeys && !hasAllKeys(node, constraints)) ? undefined : shares;
    },
    add(shares, sign) {
      for (const [index, { domain, count }] of shares)
        domains[index]!.set(domain, (domains[index]!.get(domain) ?? 0) + sign * count);
    },
  };
}

/** Everything that the counts depend on apart from the nodes. */
function spreadKey({ namespace, pod }: PodInfo, constraints: readonly Constraint[]): string {
  const { nodeSelector, affinity, tolerations } = pod.spec ?? {};
  return JSON.stringify([
    namespace,
    constraints.map(({ topologyKey, selector, minDomains, honorAffinity, honorTaints }) => [
      topologyKey,
      minDomains,
      selector.nothing || String(selector),
      honorAffinity,
      honorTaints,
    ]),
    constraints.some(({ honorAffinity }) => honorAffinity) && [nodeSelector, affinity?.nodeAffinity],
    constraints.some(({ honorTaints }) => honorTaints) && tolerations,
  ]);
}
