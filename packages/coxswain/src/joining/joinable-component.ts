/** Of a server that machines can join: puts into the cluster what they look for. */
import type { KubeClient } from '@coxswain/client';
import type { Component } from '../components.ts';
import { writeMerged } from '../write-merged.ts';
import { serverObjects } from './server-objects.ts';
import type { JoinableCluster } from './server-objects.ts';

/** Loaded by those who can be joined only. */
export const joinableComponent = (
  clusterOf: (() => JoinableCluster) | undefined,
  clientUntil: (signal: AbortSignal) => KubeClient,
): readonly Component[] =>
  clusterOf === undefined
    ? []
    : [
        {
          name: 'joining',
          start(until) {
            const ready = publish(clientUntil(until), clusterOf());
            return { ready, stopped: ready.catch(() => undefined) };
          },
        },
      ];

async function publish(client: KubeClient, cluster: JoinableCluster): Promise<void> {
  for (const { apiVersion, resource, namespace, object } of serverObjects(cluster)) {
    const objects = client.resource(apiVersion, resource);
    await writeMerged(namespace === undefined ? objects : objects.namespace(namespace), object);
  }
}
