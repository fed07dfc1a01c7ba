/** The pods of a DaemonSet: one for each eligible node, bound to it by node affinity. */

import { requiredNodeMatcher } from '@coxswain/api/core/v1/pod/node-matching.ts';
import type { Toleration } from '@coxswain/api/core/v1/taint.ts';
import { tolerates } from '@coxswain/api/core/v1/pod/tolerations.ts';
import { revisionHashLabel } from '../history/revisions.ts';
import type { DaemonSet, Node, Pod } from '../objects.ts';
import { podFromTemplate } from '../pods/pod-control.ts';

export const daemonSetKind = { apiVersion: 'apps/v1', kind: 'DaemonSet' } as const;
const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';

type PodSpec = NonNullable<Pod['spec']>;

const toleration = (name: string, effect: 'NoExecute' | 'NoSchedule'): Toleration => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect,
});

/** A daemon pod stays on its node regardless of the node's conditions. */
const daemonTolerations: readonly Toleration[] = [
  toleration('not-ready', 'NoExecute'),
  toleration('unreachable', 'NoExecute'),
  toleration('disk-pressure', 'NoSchedule'),
  toleration('memory-pressure', 'NoSchedule'),
  toleration('pid-pressure', 'NoSchedule'),
  toleration('unschedulable', 'NoSchedule'),
];

/** Returns a function that builds the pod for a node. */
export function daemonPodMaker(set: DaemonSet, hash: string): (nodeName: string) => Pod {
  const base = podFromTemplate(set.spec!.template, set, daemonSetKind);
  const generation = set.metadata.annotations?.[generationAnnotation];
  const labels = {
    ...base.metadata.labels,
    ...(generation === undefined ? {} : { [generationLabel]: generation }),
    [revisionHashLabel]: hash,
  };
  const spec = withTolerations(base.spec!);
  return (nodeName) => ({ ...base, metadata: { ...base.metadata, labels }, spec: boundTo(spec, nodeName) });
}

/** Whether a daemon pod should start on the node, and whether an existing one may stay. */
export function fitOf(set: DaemonSet, node: Node): { readonly starts: boolean; readonly stays: boolean } {
  const spec = withTolerations(set.spec!.template.spec as PodSpec);
  const isElsewhere =
    spec.nodeName !== undefined && spec.nodeName !== '' && spec.nodeName !== node.metadata.name;
  if (isElsewhere || requiredNodeMatcher({ spec })?.(node) === false) return { starts: false, stays: false };
  const untolerated = (node.spec?.taints ?? []).filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(spec.tolerations, taint),
  );
  return {
    starts: untolerated.length === 0,
    stays: untolerated.every(({ effect }) => effect !== 'NoExecute'),
  };
}

/** The node that the pod runs on or is intended for. */
export function nodeOf({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const { matchFields } of terms) {
    const field = matchFields?.find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    if (field?.values?.length === 1) return field.values[0];
  }
  return undefined;
}

export function isUpToDate(set: DaemonSet, { metadata }: Pod, hash: string): boolean {
  const generation = set.metadata.annotations?.[generationAnnotation];
  return (
    (hash !== '' && metadata.labels?.[revisionHashLabel] === hash) ||
    (generation !== undefined && metadata.labels?.[generationLabel] === generation)
  );
}

function withTolerations(spec: PodSpec): PodSpec {
  const added = spec.hostNetwork
    ? [...daemonTolerations, toleration('network-unavailable', 'NoSchedule')]
    : daemonTolerations;
  const own = (spec.tolerations ?? []).filter(
    (one) =>
      !added.some(
        ({ key, effect, operator }) =>
          one.key === key && one.effect === effect && one.operator === operator && !one.value,
      ),
  );
  return { ...spec, tolerations: [...own, ...added] };
}

function boundTo(spec: PodSpec, nodeName: string): PodSpec {
  const nodeSelectorTerms = [
    { matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: [nodeName] }] },
  ];
  const nodeAffinity = {
    ...spec.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  };
  return { ...spec, affinity: { ...spec.affinity, nodeAffinity } };
}
