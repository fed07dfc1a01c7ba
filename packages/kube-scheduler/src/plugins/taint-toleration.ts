import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Taint, Toleration } from '@coxswain/api/core/v1/taint.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { retryOn, type ClusterEvent } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unresolvable } from '../status.ts';
import { tolerates, untoleratedTaint } from '@coxswain/api/core/v1/pod/tolerations.ts';
import { normalizeByMax } from './normalize-score.ts';

const refused = unresolvable('node(s) had untolerated taint(s)');

export const taintToleration = plugin<undefined, readonly Toleration[]>({
  name: 'TaintToleration',
  isNodeLocal: true,
  retryWhen: [
    retryOn('Node', ['add', 'taints'], becameTolerable),
    retryOn('Pod', ['tolerations'], (pod, { after }) => (after as PodInfo['pod']).metadata?.uid === pod.uid),
  ],
  filter: ({ pod }, { node }) =>
    untoleratedTaint(node.spec?.taints, pod.spec?.tolerations) === undefined ? fits : refused,
  preScore: ({ pod }) => ({
    state: (pod.spec?.tolerations ?? []).filter(({ effect }) => !effect || effect === 'PreferNoSchedule'),
  }),
  scoresNodeAlone: () => true,
  score: (_pod, { node }, tolerations) =>
    (node.spec?.taints ?? []).filter((taint) => isAvoided(taint) && !tolerates(tolerations, taint)).length,
  normalize: (scores) => normalizeByMax(scores, true),
});

const isAvoided = (taint: Taint): boolean => taint.effect === 'PreferNoSchedule';

function becameTolerable({ pod }: PodInfo, { before, after }: ClusterEvent): boolean {
  const keptOff = (node: unknown) =>
    node === undefined || untoleratedTaint((node as Node).spec?.taints, pod.spec?.tolerations) !== undefined;
  return keptOff(before) && !keptOff(after);
}
