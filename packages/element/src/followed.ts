/** The objects shown in the panes, kept current by watches. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import type { KubeClient, KubeObject } from 'coxswain/browser';

export interface FollowedKind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly resource: string;
}

/** In display order. */
export const followedKinds: readonly FollowedKind[] = [
  { kind: 'Deployment', apiVersion: 'apps/v1', resource: 'deployments' },
  { kind: 'StatefulSet', apiVersion: 'apps/v1', resource: 'statefulsets' },
  { kind: 'DaemonSet', apiVersion: 'apps/v1', resource: 'daemonsets' },
  { kind: 'ReplicaSet', apiVersion: 'apps/v1', resource: 'replicasets' },
  { kind: 'Job', apiVersion: 'batch/v1', resource: 'jobs' },
  { kind: 'CronJob', apiVersion: 'batch/v1', resource: 'cronjobs' },
  { kind: 'Pod', apiVersion: 'v1', resource: 'pods' },
  { kind: 'Service', apiVersion: 'v1', resource: 'services' },
  { kind: 'ConfigMap', apiVersion: 'v1', resource: 'configmaps' },
  { kind: 'Secret', apiVersion: 'v1', resource: 'secrets' },
  { kind: 'PersistentVolumeClaim', apiVersion: 'v1', resource: 'persistentvolumeclaims' },
  { kind: 'Node', apiVersion: 'v1', resource: 'nodes' },
  { kind: 'Event', apiVersion: 'v1', resource: 'events' },
];

/** By kind, then by namespace and name. */
export type Shown = Readonly<Record<string, ReadonlyMap<string, KubeObject>>>;

export function followed(client: KubeClient, signal: AbortSignal, show: (shown: Shown) => void): void {
  let shown: Shown = {};
  let isDue = false;
  /** Groups several changes into one update. */
  const changed = () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      if (!signal.aborted) show(shown);
    }, 50);
  };
  for (const { kind, apiVersion, resource } of followedKinds) {
    const put = (objects: ReadonlyMap<string, KubeObject>) => {
      shown = { ...shown, [kind]: objects };
      changed();
    };
    detach(follow(client, { apiVersion, resource, signal, put }));
  }
}

interface Following {
  readonly apiVersion: string;
  readonly resource: string;
  readonly signal: AbortSignal;
  readonly put: (objects: ReadonlyMap<string, KubeObject>) => void;
}

/** Lists again when a watch ends, for example after a reset. */
async function follow(client: KubeClient, { apiVersion, resource, signal, put }: Following): Promise<void> {
  const all = client.resource(apiVersion, resource);
  while (!signal.aborted) {
    try {
      const { items, metadata } = await all.list({ signal });
      const objects = new Map(items.map((object) => [keyOf(object), object]));
      put(new Map(objects));
      const { resourceVersion } = metadata;
      for await (const { type, object } of all.watch({
        signal,
        ...(resourceVersion && { resourceVersion }),
      })) {
        if (type === 'DELETED') objects.delete(keyOf(object));
        else if (type === 'ERROR') break;
        else objects.set(keyOf(object), object);
        put(new Map(objects));
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

export const keyOf = ({ metadata }: KubeObject): string =>
  `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
