import type { NodeInfo } from '../../cache/node-info.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { NodeSum } from '../../cache/running-sums.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { requiredNodeMatcher } from '@coxswain/api/core/v1/pod/node-matching.ts';
import { counts, hasAllKeys, type Constraint } from './constraint.ts';

/** Matching pods by constraint and domain, over all nodes that count. */
export interface SpreadCounts {
  /** Also of domains without such pods. */
  readonly domains: readonly Map<string, number>[];
  /** Matching pods of each node that counts, by constraint. */
  readonly onNode: readonly NodeCounts[];
  /** The smallest count of each constraint, found when it is asked for, forgotten when a count changes. */
  readonly minima: (number | undefined)[];
}

/** A count for each node that counts. */
export class NodeCounts {
  readonly #counts: (number | undefined)[] = [];

  of({ slot }: NodeInfo): number | undefined {
    return this.#counts[slot];
  }

  set({ slot }: NodeInfo, count: number | undefined): void {
    while (this.#counts.length <= slot) this.#counts.push(undefined);
    this.#counts[slot] = count;
  }
}

/** What one node adds for one constraint. */
interface Share {
  readonly node: NodeInfo;
  readonly domain: string;
  readonly count: number;
}

/** With `needsAllKeys`, only nodes with the labels of all constraints; else a missing label is the domain ''. */
export function spreadCounts(
  pod: PodInfo,
  constraints: readonly Constraint[],
  needsAllKeys: boolean,
  cluster: Cluster,
): SpreadCounts {
  const key = `spread ${needsAllKeys} ${spreadKey(pod, constraints)}`;
  return cluster.sumOf(key, () => spreadSum(pod, constraints, needsAllKeys));
}

function spreadSum(
  pod: PodInfo,
  constraints: readonly Constraint[],
  needsAllKeys: boolean,
): NodeSum<SpreadCounts, readonly (Share | undefined)[]> {
  const matches = requiredNodeMatcher(pod.pod);
  const domains = constraints.map(() => new Map<string, number>());
  const nodes = constraints.map(() => new Map<string, number>());
  const onNode = constraints.map(() => new NodeCounts());
  const minima: (number | undefined)[] = constraints.map(() => undefined);
  const shareOf = (constraint: Constraint, node: NodeInfo): Share | undefined =>
    counts(constraint, pod, node, matches)
      ? {
          node,
          domain: node.label(constraint.topologyKey) ?? '',
          count: node.countPods(pod.namespace, constraint.selector),
        }
      : undefined;
  return {
    sum: { domains, onNode, minima },
    partOf: (node) =>
      needsAllKeys && !hasAllKeys(node, constraints)
        ? undefined
        : constraints.map((constraint) => shareOf(constraint, node)),
    add(shares, sign) {
      for (let index = 0; index < shares.length; index++) {
        const share = shares[index];
        if (share === undefined) continue;
        minima[index] = undefined;
        const { node, domain, count } = share;
        onNode[index]!.set(node, sign > 0 ? count : undefined);
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

/** All that the counts depend on, but the nodes. */
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
