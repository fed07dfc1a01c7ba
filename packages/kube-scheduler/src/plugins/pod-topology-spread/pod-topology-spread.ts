import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import { retryOn, type ClusterEvent } from '../../framework/cluster-event.ts';
import { plugin, type AnyPlugin } from '../../framework/plugin.ts';
import { selectorOfCached } from '@coxswain/apimachinery';
import { constraintsOf, systemDefaultConstraints, type DefaultConstraint } from './constraint.ts';
import { cloneSkew, measureSkew, shiftSkew, skewAllows, type Skew } from './skew.ts';
import { normalizeSpread, spreadScore, spreadState, type SpreadState } from './spread-score.ts';

export interface PodTopologySpreadArgs {
  readonly defaultConstraints?: readonly DefaultConstraint[];
  /** `System` (the default) or `List`. */
  readonly defaultingType?: string;
}

/** Spreads matching pods over hosts, zones or other topology domains. */
export function podTopologySpread(args: PodTopologySpreadArgs = {}): AnyPlugin {
  const bySystem = (args.defaultingType ?? 'System') === 'System';
  const defaults = bySystem ? systemDefaultConstraints : (args.defaultConstraints ?? []);
  return plugin<Skew, SpreadState>({
    name: 'PodTopologySpread',
    retryWhen: [
      retryOn('Pod', ['add', 'delete', 'labels'], concernsSpread),
      retryOn('Node', ['add', 'delete', 'labels', 'taints'], concernsTopology),
    ],
    preFilter(pod, cluster) {
      const constraints = constraintsOf(pod, 'DoNotSchedule', defaults, cluster);
      return constraints.length === 0 ? 'skip' : { state: measureSkew(pod, constraints, cluster) };
    },
    addPod: (skew, pod, other, node) => shiftSkew(skew, pod, other, node, 1),
    removePod: (skew, pod, other, node) => shiftSkew(skew, pod, other, node, -1),
    cloneState: cloneSkew,
    filter: (pod, node, skew) => skewAllows(skew, pod, node),
    preScore(pod, nodes, cluster) {
      const constraints = constraintsOf(pod, 'ScheduleAnyway', defaults, cluster);
      if (constraints.length === 0) return 'skip';
      const needsAllKeys = (pod.pod.spec?.topologySpreadConstraints?.length ?? 0) > 0 || !bySystem;
      return { state: spreadState(pod, constraints, nodes, needsAllKeys, cluster) };
    },
    score: (pod, node, state) => spreadScore(state, pod, node),
    normalize: normalizeSpread,
  });
}

/** Whether a pod in the same namespace that one of the constraints counts was added, removed or relabelled. */
function concernsSpread(pod: PodInfo, { before, after }: ClusterEvent): boolean {
  const constraints = pod.pod.spec?.topologySpreadConstraints ?? [];
  return [before, after].some((object) => {
    const other = object as Pod | undefined;
    if (other === undefined || (other.metadata?.namespace ?? '') !== pod.namespace) return false;
    return (
      constraints.length === 0 ||
      other.metadata?.uid === pod.uid ||
      constraints.some(({ labelSelector }) => selectorOfCached(labelSelector).matches(other.metadata?.labels))
    );
  });
}

/** Whether the node has, or had, the constraints' labels. */
function concernsTopology(pod: PodInfo, { before, after }: ClusterEvent): boolean {
  const keys = (pod.pod.spec?.topologySpreadConstraints ?? []).map(({ topologyKey }) => topologyKey);
  return [before, after].some((node) => {
    const labels = (node as Node | undefined)?.metadata?.labels;
    return node !== undefined && keys.every((key) => labels?.[key] !== undefined);
  });
}
