import type { NodeInfo } from '../../cache/node-info.ts';
import type { NodeSum } from '../../cache/running-sums.ts';

/** Counts for or against each domain: topology key → value → count. */
export type TopologyCounts = Map<string, Map<string, number>>;

/** Receives one node's contributions to the counts. */
export type CountShare = (topologyKey: string, by: number) => void;

interface Share {
  readonly key: string;
  readonly domain: string;
  readonly by: number;
}

/** Counts over all nodes; `sharesOf` calls `count` with a node's contributions. */
export function topologySum(
  sharesOf: (node: NodeInfo, count: CountShare) => void,
): NodeSum<TopologyCounts, readonly Share[]> {
  const sum: TopologyCounts = new Map();
  return {
    sum,
    partOf(node) {
      const shares: Share[] = [];
      sharesOf(node, (key, by) => {
        const domain = node.label(key);
        if (domain !== undefined) shares.push({ key, domain, by });
      });
      return shares.length === 0 ? undefined : shares;
    },
    add(shares, sign) {
      for (const { key, domain, by } of shares) addToDomain(sum, key, domain, sign * by);
    },
  };
}

export function addToTopology(counts: TopologyCounts, node: NodeInfo, key: string, by: number): void {
  const domain = node.label(key);
  if (domain !== undefined) addToDomain(counts, key, domain, by);
}

function addToDomain(counts: TopologyCounts, key: string, domain: string, by: number): void {
  let domains = counts.get(key);
  if (domains === undefined) counts.set(key, (domains = new Map()));
  const sum = (domains.get(domain) ?? 0) + by;
  if (sum !== 0) domains.set(domain, sum);
  else domains.delete(domain);
  if (domains.size === 0) counts.delete(key);
}

/** 0 on nodes without the label. */
export function countAt(counts: TopologyCounts, node: NodeInfo, topologyKey: string): number {
  const domain = node.label(topologyKey);
  return domain === undefined ? 0 : (counts.get(topologyKey)?.get(domain) ?? 0);
}

export const cloneCounts = (counts: TopologyCounts): TopologyCounts =>
  new Map([...counts].map(([key, domains]) => [key, new Map(domains)]));
