/** The containers whose logs belong to an object: those of the pod itself, or of all pods that a workload selects. */

import {
  labelSelectorFromSpec,
  type KubeObject,
  type LabelSelectorSpec,
  type Live,
} from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { client } from '../../../cluster/cluster.ts';
import type { LogSource } from './follow-logs.ts';

/** More pods than this are not followed at once. */
const podsMax = 20;

export async function logSources(
  isPod: boolean,
  object: KubeObject,
  signal: AbortSignal,
): Promise<readonly LogSource[]> {
  if (isPod) return sourcesOf(object as Live<Pod>, false);
  const { selector } = (object as { readonly spec?: { readonly selector?: LabelSelectorSpec } }).spec ?? {};
  const { namespace = 'default' } = object.metadata;
  const { items } = await client
    .resource<Live<Pod>>('v1', 'pods')
    .namespace(namespace)
    .list({ labelSelector: selectorText(selector), limit: podsMax, signal });
  return items.flatMap((pod) => sourcesOf(pod, true));
}

/** That of a ReplicationController is the labels themselves. */
const selectorText = (selector: LabelSelectorSpec | undefined): string => {
  const isSpec = selector !== undefined && ('matchLabels' in selector || 'matchExpressions' in selector);
  const spec = isSpec ? selector : { matchLabels: (selector ?? {}) as Record<string, string> };
  return String(labelSelectorFromSpec(spec));
};

function sourcesOf({ metadata, spec }: Live<Pod>, withPod: boolean): readonly LogSource[] {
  const { namespace = 'default', name: pod = '' } = metadata;
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return containers.map(({ name: container }) => ({
    namespace,
    pod,
    container,
    name: withPod ? (containers.length > 1 ? `${pod}/${container}` : pod) : container,
  }));
}
