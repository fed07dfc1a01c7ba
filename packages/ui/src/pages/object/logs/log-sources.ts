/** The containers whose logs belong to an object: those of the pod itself, or of all pods that a workload selects. */

import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ApiResource } from '@coxswain/client';
import { client } from '../../../cluster/cluster.ts';
import { isPod, podSelectorOf } from '../pod-selector.ts';
import type { LogSource } from './follow-logs.ts';

/** The maximum number of pods followed at once. */
const podsMax = 20;

/** @param beside other pods, `namespace/name`, whose logs are shown beside those of a pod */
export async function logSources(
  kind: ApiResource,
  object: KubeObject,
  beside: readonly string[],
  signal: AbortSignal,
): Promise<readonly LogSource[]> {
  if (isPod(kind)) return podSources(object as Live<Pod>, beside, signal);
  const labelSelector = podSelectorOf(kind, object);
  if (labelSelector === undefined) return [];
  const { namespace = 'default' } = object.metadata;
  const { items } = await client
    .resource<Live<Pod>>('v1', 'pods')
    .namespace(namespace)
    .list({ labelSelector, limit: podsMax, signal });
  return items.flatMap((pod) => sourcesOf(pod, true));
}

async function podSources(
  pod: Live<Pod>,
  beside: readonly string[],
  signal: AbortSignal,
): Promise<readonly LogSource[]> {
  const others = await Promise.all(
    beside.slice(0, podsMax - 1).map((path) => {
      const [namespace = '', name = ''] = path.split('/');
      return client.resource<Live<Pod>>('v1', 'pods').namespace(namespace).get(name, { signal });
    }),
  );
  return [pod, ...others].flatMap((one) => sourcesOf(one, others.length > 0));
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
