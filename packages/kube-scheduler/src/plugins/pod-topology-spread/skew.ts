import type { NodeInfo } from '../../cache/node-info.ts';
import { isTerminating, type PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { fits, unresolvable, unschedulable, type Status } from '../../status.ts';
import { requiredNodeMatcher } from '@coxswain/api/core/v1/pod/node-matching.ts';
import { counts, hasAllKeys, type Constraint } from './constraint.ts';
import { spreadCounts, type SpreadCounts } from './spread-counts.ts';

/** For each constraint, the number of matching pods in each domain. */
export interface Skew extends SpreadCounts {
  readonly constraints: readonly Constraint[];
}

const skewed = unschedulable("node(s) didn't match pod topology spread constraints");
const unlabelled = unresolvable(
  "node(s) didn't match pod topology spread constraints (missing required label)",
);

export function measureSkew(pod: PodInfo, constraints: readonly Constraint[], cluster: Cluster): Skew {
  const { domains, minima } = spreadCounts(pod, constraints, cluster);
  return { constraints, domains, minima };
}

export function skewAllows({ constraints, domains, minima }: Skew, pod: PodInfo, node: NodeInfo): Status {
  for (let index = 0; index < constraints.length; index++) {
    const constraint = constraints[index]!;
    const domain = node.label(constraint.topologyKey);
    if (domain === undefined) return unlabelled;
    const own = constraint.selector.matches(pod.labels) ? 1 : 0;
    const min = (minima[index] ??= minimumOf(domains[index]!, constraint.minDomains));
    if ((domains[index]!.get(domain) ?? 0) + own - min > constraint.maxSkew) return skewed;
  }
  return fits;
}

/** With fewer than `minDomains` domains, the missing ones count as empty. */
function minimumOf(domains: ReadonlyMap<string, number>, minDomains: number): number {
  if (domains.size < minDomains) return 0;
  let min = Number.MAX_SAFE_INTEGER;
  for (const count of domains.values()) if (count < min) min = count;
  return min;
}

export function shiftSkew(skew: Skew, pod: PodInfo, other: PodInfo, node: NodeInfo, by: 1 | -1): void {
  // Terminating pods are not counted.
  if (other.namespace !== pod.namespace || isTerminating(other.pod) || !hasAllKeys(node, skew.constraints))
    return;
  const matches = requiredNodeMatcher(pod.pod);
  skew.constraints.forEach((constraint, index) => {
    if (!constraint.selector.matches(other.labels) || !counts(constraint, pod, node, matches)) return;
    const domain = node.label(constraint.topologyKey)!;
    const counted = skew.domains[index]!;
    counted.set(domain, (counted.get(domain) ?? 0) + by);
    skew.minima[index] = undefined;
  });
}

export const cloneSkew = ({ constraints, domains, minima }: Skew): Skew => ({
  constraints,
  domains: domains.map((counted) => new Map(counted)),
  minima: [...minima],
});
