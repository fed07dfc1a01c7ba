/** Stores the objects that joining machines look for in the cluster. */
import type { KubeClient } from '@coxswain/client';
import type { Component } from '../components/components.ts';
import { applyAddons } from '../components/addon.ts';
import { serverObjects, type JoinableCluster } from './server-objects.ts';

/** Loaded only if machines can join. */
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
            const ready = applyAddons(clientUntil(until), serverObjects(clusterOf()));
            return { ready, stopped: ready.catch(() => undefined) };
          },
        },
      ];
