import type { NodeInfo } from './node-info.ts';

/** Interleaves the nodes of all zones, so that a search that stops early has covered every zone. */
export function interleaveZones(nodes: Iterable<NodeInfo>): NodeInfo[] {
  const zones = new Map<string, NodeInfo[]>();
  for (const node of nodes) {
    const zone = zoneOf(node);
    const members = zones.get(zone);
    if (members === undefined) zones.set(zone, [node]);
    else members.push(node);
  }
  if (zones.size < 2) return [...zones.values()].flat();
  const ordered: NodeInfo[] = [];
  const lists = [...zones.values()];
  const longest = Math.max(...lists.map((list) => list.length));
  for (let turn = 0; turn < longest; turn++) {
    for (const list of lists) if (turn < list.length) ordered.push(list[turn]!);
  }
  return ordered;
}

export const zoneOf = ({ labels }: NodeInfo): string =>
  `${labels['topology.kubernetes.io/region'] ?? labels['failure-domain.beta.kubernetes.io/region'] ?? ''}/` +
  `${labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? ''}`;
