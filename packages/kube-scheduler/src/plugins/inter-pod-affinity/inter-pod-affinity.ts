import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { termMatches } from '../../cache/affinity-term.ts';
import { podInfo, type PodInfo } from '../../cache/pod-info.ts';
import { retryOn, type ClusterEvent } from '../../framework/cluster-event.ts';
import { plugin, type AnyPlugin } from '../../framework/plugin.ts';
import {
  normalizePreferred,
  preferredScore,
  preferredState,
  type PreferredOptions,
} from './preferred-terms.ts';
import {
  cloneRequired,
  requiredState,
  requiredTermsAllow,
  shiftRequired,
  type RequiredState,
} from './required-terms.ts';
import type { TopologyCounts } from './topology-counts.ts';

/** Attracts pods to, or separates them from, other pods. */
export function interPodAffinity(args: Partial<PreferredOptions> = {}): AnyPlugin {
  const options: PreferredOptions = {
    hardPodAffinityWeight: args.hardPodAffinityWeight ?? 1,
    ignorePreferredTermsOfExistingPods: args.ignorePreferredTermsOfExistingPods ?? false,
  };
  return plugin<RequiredState, TopologyCounts>({
    name: 'InterPodAffinity',
    retryWhen: [
      retryOn('Pod', ['add', 'delete', 'labels'], changesCompany),
      retryOn('Node', ['add', 'labels'], hasTopology),
    ],
    preFilter(pod, cluster) {
      const state = requiredState(pod, cluster);
      return state === undefined ? 'skip' : { state };
    },
    addPod: (state, pod, other, node, cluster) => shiftRequired(state, pod, other, node, 1, cluster),
    removePod: (state, pod, other, node, cluster) => shiftRequired(state, pod, other, node, -1, cluster),
    cloneState: cloneRequired,
    filter: (pod, node, state, cluster) => requiredTermsAllow(state, pod, node, cluster),
    preScore(pod, _nodes, cluster) {
      const state = preferredState(pod, cluster, options);
      return state === undefined ? 'skip' : { state };
    },
    score: (_pod, node, counts) => preferredScore(counts, node),
    normalize: normalizePreferred,
  });
}

/**
 * A pod that the pending one wants has arrived, or one that repelled it has gone. Namespace selectors are assumed to
 * match, since an unnecessary attempt is harmless.
 */
function changesCompany(pod: PodInfo, { before, after }: ClusterEvent): boolean {
  const wants = (other: Pod) =>
    pod.requiredAffinity.length > 0 && pod.requiredAffinity.every((term) => loosely(term, podInfo(other)));
  const avoids = (other: Pod) => {
    const info = podInfo(other);
    return (
      pod.requiredAntiAffinity.some((term) => loosely(term, info)) ||
      info.requiredAntiAffinity.some((term) => loosely(term, pod))
    );
  };
  const was = before as Pod | undefined;
  const is = after as Pod | undefined;
  if (is?.metadata?.uid === pod.uid) return true;
  if (is !== undefined && wants(is)) return true;
  return was !== undefined && avoids(was) && (is === undefined || !avoids(is));
}

type Term = Parameters<typeof termMatches>[0];

const loosely = (term: Term, pod: PodInfo): boolean =>
  (term.namespaces.has(pod.namespace) || !term.namespaceSelector.nothing) &&
  term.selector.matches(pod.labels);

function hasTopology(pod: PodInfo, { after }: ClusterEvent): boolean {
  const labels = (after as Node).metadata?.labels ?? {};
  const terms = [...pod.requiredAffinity, ...pod.requiredAntiAffinity];
  return terms.length === 0 || terms.some(({ topologyKey }) => labels[topologyKey] !== undefined);
}
