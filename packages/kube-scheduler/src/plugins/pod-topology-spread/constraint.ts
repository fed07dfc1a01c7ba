import {
  selectorOfCached,
  labelSelectorOf,
  type LabelSelector,
  type Requirement,
} from '@coxswain/apimachinery';
import type { TopologySpreadConstraint } from '@coxswain/api/core/v1/topology-spread-constraint.ts';
import { hostnameLabel, zoneLabel, type NodeInfo } from '../../cache/node-info.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import type { NodeMatcher } from '@coxswain/api/core/v1/pod/node-matching.ts';
import { untoleratedTaint } from '@coxswain/api/core/v1/pod/tolerations.ts';

/** A compiled topology spread constraint. */
export interface Constraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: LabelSelector;
  readonly minDomains: number;
  readonly honorAffinity: boolean;
  readonly honorTaints: boolean;
}

export type WhenUnsatisfiable = 'DoNotSchedule' | 'ScheduleAnyway';

export interface DefaultConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
}

/** Applies to pods of a service or replica set without constraints of their own. */
export const systemDefaultConstraints: readonly DefaultConstraint[] = [
  { maxSkew: 3, topologyKey: hostnameLabel, whenUnsatisfiable: 'ScheduleAnyway' },
  { maxSkew: 5, topologyKey: zoneLabel, whenUnsatisfiable: 'ScheduleAnyway' },
];

export function constraintsOf(
  pod: PodInfo,
  when: WhenUnsatisfiable,
  defaults: readonly DefaultConstraint[],
  cluster: Cluster,
): readonly Constraint[] {
  const own = pod.pod.spec?.topologySpreadConstraints ?? [];
  if (own.length > 0)
    return own.filter((one) => one.whenUnsatisfiable === when).map((one) => compile(one, pod));
  const relevant = defaults.filter((one) => one.whenUnsatisfiable === when);
  if (relevant.length === 0) return [];
  const requirements = cluster.objects.selectorsOf(pod).flatMap((selector) => selector.requirements);
  if (requirements.length === 0) return [];
  const selector = labelSelectorOf(requirements);
  return relevant.map(({ maxSkew, topologyKey }) => ({
    maxSkew,
    topologyKey,
    selector,
    minDomains: 1,
    honorAffinity: true,
    honorTaints: false,
  }));
}

function compile(constraint: TopologySpreadConstraint, pod: PodInfo): Constraint {
  const selector = selectorOfCached(constraint.labelSelector);
  const kept = (constraint.matchLabelKeys ?? []).filter((key) => pod.labels[key] !== undefined);
  const more = kept.map((key): Requirement => ({ key, operator: '=', values: [pod.labels[key]!] }));
  return {
    maxSkew: constraint.maxSkew,
    topologyKey: constraint.topologyKey,
    selector:
      more.length === 0 || selector.nothing ? selector : labelSelectorOf([...more, ...selector.requirements]),
    minDomains: constraint.minDomains ?? 1,
    honorAffinity: (constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor',
    honorTaints: (constraint.nodeTaintsPolicy ?? 'Ignore') === 'Honor',
  };
}

/** Whether the node's pods are included in the constraint at all. */
export const counts = (
  constraint: Constraint,
  pod: PodInfo,
  node: NodeInfo,
  matches: NodeMatcher | undefined,
): boolean =>
  (!constraint.honorAffinity || matches === undefined || matches(node.node)) &&
  (!constraint.honorTaints ||
    untoleratedTaint(node.node.spec?.taints, pod.pod.spec?.tolerations) === undefined);

export const hasAllKeys = (node: NodeInfo, constraints: readonly Constraint[]): boolean =>
  constraints.every(({ topologyKey }) => node.label(topologyKey) !== undefined);
