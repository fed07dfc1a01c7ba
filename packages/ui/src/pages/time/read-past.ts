/**
 * Reads the past of nodes, pods and one other kind through the API: the oldest available state, and a watch from there.
 */

import { isStatusError, type KubeObject, type Live, type StatusError } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ApiResource, ResourceClient } from '@coxswain/client';
import { pastEvents } from '@coxswain/client/history/past-events.ts';
import { client, resourceIn } from '../../cluster/cluster.ts';
import { inScope, scope } from '../../cluster/scope.ts';
import { healthOf } from '../../health/health-of.ts';
import { mapNode } from '../overview/nodes.ts';
import { mapPod } from '../overview/pods.ts';
import { clusterPast, type ClusterPast, type PastObject, type Reported } from './cluster-past.ts';

export interface ReadPast extends ClusterPast {
  /** The cluster's resource version when it was read. */
  readonly newest: number;
  /** Whether the user may not read nodes. */
  readonly isWithoutNodes: boolean;
}

/** @param other a kind besides nodes and pods whose changes are included */
export async function readPast(other: ApiResource | undefined, signal: AbortSignal): Promise<ReadPast> {
  const namespace = scope.value;
  const { metadata } = await resourceIn(podKind, namespace).list({ limit: 1, signal });
  const [pods, nodes, others] = await Promise.all([
    pastOf(resourceIn(podKind, namespace) as ResourceClient<Live<Pod>>, mapPod, signal),
    pastOf(client.resource<Live<Node>>('v1', 'nodes'), mapNode, signal).catch(ifDenied),
    other && pastOf(inScope(other), (object): PastObject => pastObject(other, object), signal),
  ]);
  const past = clusterPast(
    { pods: pods.first, nodes: nodes.first },
    {
      pods: pods.reported,
      nodes: nodes.reported,
      ...(other !== undefined &&
        others !== undefined && { others: { kind: other.kind, reported: others.reported } }),
    },
  );
  return {
    ...past,
    isWithoutNodes: nodes === unread,
    newest: Math.max(Number(metadata.resourceVersion), past.changes.at(-1)?.revision ?? 0),
  };
}

const podKind = { group: '', version: 'v1', resource: 'pods' };

/** Stands for the past of a kind that the user may not read. */
const unread = { first: new Map<string, never>(), reported: [] };

function ifDenied(failure: unknown): typeof unread {
  if (isStatusError(failure, 'Forbidden')) return unread;
  throw failure;
}

function pastObject(kind: ApiResource, object: KubeObject): PastObject {
  const { uid, namespace, name, resourceVersion } = object.metadata;
  return {
    metadata: { uid, namespace, name, resourceVersion } as KubeObject['metadata'],
    health: healthOf(kind, object),
  };
}

async function pastOf<T extends KubeObject, K extends KubeObject>(
  resource: ResourceClient<T>,
  keep: (object: T) => K,
  signal: AbortSignal,
): Promise<{ readonly first: ReadonlyMap<string, K>; readonly reported: readonly Reported<K>[] }> {
  const began = await watched(resource, keep, '1', signal);
  if (!isStatusError(began)) return { first: new Map(), reported: began };
  const oldest = await oldestRevision(resource, began, signal);
  const first = new Map<string, K>();
  const pages = resource.pages({
    resourceVersion: oldest,
    resourceVersionMatch: 'Exact',
    limit: 500,
    signal,
  });
  for await (const { items } of pages)
    for (const item of items) first.set(item.metadata.uid ?? '', keep(item));
  const reported = await watched(resource, keep, oldest, signal);
  return { first, reported: isStatusError(reported) ? [] : reported };
}

/** The server's error if so old a state is no longer available. */
async function watched<T extends KubeObject, K extends KubeObject>(
  resource: ResourceClient<T>,
  keep: (object: T) => K,
  resourceVersion: string,
  signal: AbortSignal,
): Promise<readonly Reported<K>[] | StatusError> {
  const reported: Reported<K>[] = [];
  try {
    for await (const event of pastEvents(resource, { resourceVersion, signal }))
      if (event.type !== 'BOOKMARK') reported.push({ event, shown: keep(event.object) });
    return reported;
  } catch (failure) {
    if (isStatusError(failure) && failure.code === 410) return failure;
    throw failure;
  }
}

/** The error for a version that is too old names the oldest available one. Without it, only the present is known. */
async function oldestRevision<T extends KubeObject>(
  resource: ResourceClient<T>,
  tooOld: StatusError,
  signal: AbortSignal,
): Promise<string> {
  const named = /\((\d+)\)/.exec(tooOld.message)?.[1];
  if (named !== undefined) return named;
  return (await resource.list({ limit: 1, signal })).metadata?.resourceVersion ?? '';
}
