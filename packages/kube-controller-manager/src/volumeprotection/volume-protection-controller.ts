/** Protects bound volumes from deletion. */

import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type PersistentVolume } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import { guardDeletion, needsGuard, type DeletionGuard } from './deletion-guard.ts';

const finalizer = 'kubernetes.io/pv-protection';

export const volumeProtectionController: Controller = {
  name: 'persistentvolume-protection-controller',
  aliases: ['pv-protection'],
  serviceAccount: 'pv-protection-controller',
  start(context) {
    const volumes = context.informers.informer<PersistentVolume>(resources.persistentVolumes);
    const guard: DeletionGuard<PersistentVolume> = {
      finalizer,
      client: () => context.client.resource<PersistentVolume>(resources.persistentVolumes),
      isUsed: ({ status }) => status?.phase === 'Bound',
    };
    const reconciler = startReconciler(context, {
      queueName: 'pvprotection',
      ready: () => volumes.synced,
      reconcile: async function syncVolumeProtection(name) {
        const volume = volumes.lister.get(name);
        if (volume !== undefined) await guardDeletion(guard, volume);
      },
    });
    const look = (volume: PersistentVolume) => {
      if (needsGuard(volume, finalizer)) reconciler.addObject(volume);
    };
    volumes.addHandler(onWrite(look));
  },
};
