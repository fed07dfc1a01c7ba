import type { NodeInfo } from '../../cache/node-info.ts';

/** How much speaks for or against a domain: topology key → value → count. */
export type TopologyCounts = Map<string, Map<string, number>>;

export function addToTopology(counts: TopologyCounts, node: NodeInfo, key: string, by: number): void {
  const domain = node.labels[key];
  if (domain === undefined) return;
  let domains = counts.get(key);
  if (domains === undefined) counts.set(key, (domains = new Map()));
  const sum = (domains.get(domain) ?? 0) + by;
  if (sum !== 0) domains.set(domain, sum);
  else domains.delete(domain);
  if (domains.size === 0) counts.delete(key);
}

/** 0 on nodes without the label. */
export function countAt(counts: TopologyCounts, node: NodeInfo, topologyKey: string): number {
  const domain = node.labels[topologyKey];
  return domain === undefined ? 0 : (counts.get(topologyKey)?.get(domain) ?? 0);
}

export const cloneCounts = (counts: TopologyCounts): TopologyCounts =>
  new Map([...counts].map(([key, domains]) => [key, new Map(domains)]));
