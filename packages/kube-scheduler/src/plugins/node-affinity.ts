import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { retryOn } from '../framework/cluster-event.ts';
import type { ClusterEvent } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unresolvable } from '../framework/verdict.ts';
import { nodeTermMatcher, requiredNodeMatcher } from '../matching/node-selector.ts';
import type { NodeMatcher } from '../matching/node-selector.ts';
import { normalizeByMax } from './normalize-score.ts';

const refused = unresolvable("node(s) didn't match Pod's node affinity/selector");
const conflict = unresolvable('pod affinity terms conflict');

interface WeightedMatcher {
  readonly weight: number;
  readonly matches: NodeMatcher;
}

export const nodeAffinity = plugin<NodeMatcher, readonly WeightedMatcher[]>({
  name: 'NodeAffinity',
  isNodeLocal: true,
  retryWhen: [retryOn('Node', ['add', 'labels'], becameMatching)],

  preFilter({ pod }) {
    const state = requiredNodeMatcher(pod);
    if (state === undefined) return 'skip';
    const onlyNodes = nodesNamed(pod);
    if (onlyNodes?.size === 0) return conflict;
    return onlyNodes === undefined ? { state } : { state, onlyNodes };
  },
  filter: (_pod, { node }, matches) => (matches(node) ? fits : refused),

  preScore({ pod }) {
    const preferred = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const state = preferred
      .filter(({ weight }) => weight !== 0)
      .map(({ weight, preference }) => ({ weight, matches: nodeTermMatcher(preference) }));
    return state.length === 0 ? 'skip' : { state };
  },
  scoresNodeAlone: () => true,
  score: (_pod, { node }, terms) =>
    terms.reduce((sum, { weight, matches }) => (matches(node) ? sum + weight : sum), 0),
  normalize: (scores) => normalizeByMax(scores, false),
});

/** The nodes that the terms name by `metadata.name`, when each term does. */
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

function becameMatching({ pod }: PodInfo, { before, after }: ClusterEvent): boolean {
  const matches = requiredNodeMatcher(pod);
  if (matches === undefined) return true;
  return matches(after as Node) && (before === undefined || !matches(before as Node));
}
