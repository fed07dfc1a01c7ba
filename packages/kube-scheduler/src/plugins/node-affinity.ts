import type { NodeAffinity } from '@coxswain/api/core/v1/affinity.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { retryOn, type ClusterEvent } from '../framework/cluster-event.ts';
import { plugin, type AnyPlugin } from '../framework/plugin.ts';
import { fits, unresolvable } from '../status.ts';
import {
  nodeSelectorMatcher,
  nodeTermMatcher,
  requiredNodeMatcher,
  type NodeMatcher,
} from '@coxswain/api/core/v1/pod/node-matching.ts';
import { normalizeByMax } from './normalize-score.ts';

const refused = unresolvable("node(s) didn't match Pod's node affinity/selector");
const refusedByProfile = unresolvable("node(s) didn't match scheduler-enforced node affinity");
const conflict = unresolvable('pod affinity terms conflict');

interface WeightedMatcher {
  readonly weight: number;
  readonly matches: NodeMatcher;
}

export interface NodeAffinityArgs {
  /** The affinity that applies to every pod of the profile, in addition to its own. */
  readonly addedAffinity?: NodeAffinity;
}

/** Filters and scores nodes by the node affinity of the pod and of the profile. */
export function nodeAffinity({ addedAffinity }: NodeAffinityArgs = {}): AnyPlugin {
  const added = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const addedMatcher = added && nodeSelectorMatcher(added);
  const addedPreferences = addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return plugin<NodeMatcher | undefined, readonly WeightedMatcher[]>({
    name: 'NodeAffinity',
    isNodeLocal: true,
    retryWhen: [retryOn('Node', ['add', 'labels'], (pod, event) => becameMatching(pod, event, addedMatcher))],

    preFilter({ pod }) {
      const state = requiredNodeMatcher(pod);
      if (state === undefined && addedMatcher === undefined) return 'skip';
      const onlyNodes = nodesNamed(pod);
      if (onlyNodes?.size === 0) return conflict;
      return onlyNodes === undefined ? { state } : { state, onlyNodes };
    },
    filter(_pod, { node }, matches) {
      if (addedMatcher !== undefined && !addedMatcher(node)) return refusedByProfile;
      return matches === undefined || matches(node) ? fits : refused;
    },

    preScore({ pod }) {
      const own = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
      const state = [...addedPreferences, ...own]
        .filter(({ weight }) => weight !== 0)
        .map(({ weight, preference }) => ({ weight, matches: nodeTermMatcher(preference) }));
      return state.length === 0 ? 'skip' : { state };
    },
    scoresNodeAlone: () => true,
    score: (_pod, { node }, terms) =>
      terms.reduce((sum, { weight, matches }) => (matches(node) ? sum + weight : sum), 0),
    normalize: (scores) => normalizeByMax(scores, false),
  });
}

/** The nodes listed by `metadata.name`, if every term lists some. */
function nodesNamed(pod: Pod): Set<string> | undefined {
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) return undefined;
  const names = new Set<string>();
  for (const { matchFields } of required.nodeSelectorTerms ?? []) {
    const lists = (matchFields ?? [])
      .filter(({ key, operator }) => key === 'metadata.name' && operator === 'In')
      .map(({ values }) => values ?? []);
    if (lists.length === 0) return undefined;
    for (const name of lists[0]!) if (lists.every((list) => list.includes(name))) names.add(name);
  }
  return names;
}

function becameMatching(
  { pod }: PodInfo,
  { before, after }: ClusterEvent,
  added: NodeMatcher | undefined,
): boolean {
  const own = requiredNodeMatcher(pod);
  const matches = (node: unknown) =>
    (own === undefined || own(node as Node)) && (added === undefined || added(node as Node));
  if (own === undefined && added === undefined) return true;
  return matches(after) && (before === undefined || !matches(before));
}
