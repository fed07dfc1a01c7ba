/** The containers whose logs belong to an object: those of the pod itself, or of all pods that a workload selects. */

import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ApiResource } from '@coxswain/client';
import { client } from '../../../cluster/cluster.ts';
import { isPod, podSelectorOf } from '../pod-selector.ts';
import type { LogSource } from './follow-logs.ts';

/** The maximum number of pods followed at once. */
const podsMax = 20;

export async function logSources(
  kind: ApiResource,
  object: KubeObject,
  signal: AbortSignal,
): Promise<readonly LogSource[]> {
  if (isPod(kind)) return sourcesOf(object as Live<Pod>, false);
  const labelSelector = podSelectorOf(kind, object);
  if (labelSelector === undefined) return [];
  const { namespace = 'default' } = object.metadata;
  const { items } = await client
    .resource<Live<Pod>>('v1', 'pods')
    .namespace(namespace)
    .list({ labelSelector, limit: podsMax, signal });
  return items.flatMap((pod) => sourcesOf(pod, true));
}

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
