/** What would have to change for a pod to be scheduled. */

import type { NodeExplanation, Refusal, RefusalFact } from '@coxswain/kube-scheduler/explain-placement.ts';

export interface Obstacle {
  readonly refusals: readonly Refusal[];
  /** The nodes that would fit without these refusals. */
  readonly nodes: readonly string[];
}

/**
 * Groups nodes that refuse the pod for the same reasons. Groups with the fewest reasons come first, then those with the
 * most nodes.
 */
export function obstaclesOf(nodes: readonly NodeExplanation[]): readonly Obstacle[] {
  const groups = Map.groupBy(
    nodes.filter(({ refusals }) => refusals.length > 0),
    ({ refusals }) => JSON.stringify(refusals.map(({ plugin, reasons }) => [plugin, reasons])),
  );
  return [...groups.values()]
    .map((group) => ({
      refusals: group[0]!.refusals.map(({ plugin, reasons }, at) => {
        const facts = commonFacts(group.map(({ refusals }) => refusals[at]!));
        return { plugin, reasons, ...(facts.length > 0 && { facts }) };
      }),
      nodes: group.map(({ node }) => node),
    }))
    .toSorted((one, other) => reasonCount(one) - reasonCount(other) || other.nodes.length - one.nodes.length);
}

/** The facts that hold for all nodes of a group. */
function commonFacts(refusals: readonly Refusal[]): readonly RefusalFact[] {
  const [first, ...others] = refusals.map(({ facts = [] }) => facts);
  return (first ?? []).filter((fact) =>
    others.every((facts) => facts.some((one) => JSON.stringify(one) === JSON.stringify(fact))),
  );
}

const reasonCount = ({ refusals }: Obstacle): number =>
  refusals.reduce((sum, { reasons }) => sum + Math.max(1, reasons.length), 0);

/** The plugins that refuse any of the nodes, the one that refuses most first. */
export function refusingPlugins(nodes: readonly NodeExplanation[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { plugin } of nodes.flatMap(({ refusals }) => refusals))
    counts.set(plugin, (counts.get(plugin) ?? 0) + 1);
  return [...counts].toSorted((one, other) => other[1] - one[1]).map(([plugin]) => plugin);
}
