/** Binds claims to volumes, and reclaims volumes whose claims are gone. */

import { objectKey } from '@coxswain/client';
import type { Controller } from '../controller.ts';
import {
  resources,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
} from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import { claimIndex, podsByClaim } from '../volumes/claims-of-pods.ts';
import { BinderState } from './binder-state.ts';
import { syncClaim } from './sync-claim.ts';
import { syncVolume } from './sync-volume.ts';

/** The resync interval of all claims and volumes, since classes and pods are not watched for changes. */
const resyncMs = 15_000;

export const persistentVolumeBinder: Controller = {
  name: 'persistentvolume-binder-controller',
  aliases: ['persistentvolume-binder'],
  serviceAccount: 'persistent-volume-binder',
  start(context) {
    const { informers, clock, signal } = context;
    const volumes = informers.informer<PersistentVolume>(resources.persistentVolumes);
    const claims = informers.informer<PersistentVolumeClaim>(resources.persistentVolumeClaims);
    const classes = informers.informer<StorageClass>(resources.storageClasses);
    const pods = informers.informer<Pod>(resources.pods, { [claimIndex]: podsByClaim });
    const state = new BinderState(context, { classes: classes.lister, pods: pods.lister });
    const ready = () => Promise.all([volumes.synced, claims.synced, classes.synced, pods.synced]);
    // One worker each, so that no two claims pick the same volume.
    const claimQueue = startReconciler(context, {
      queueName: 'claims',
      ready,
      workers: 1,
      reconcile: async function reconcileClaim(key) {
        const claim = claims.lister.byKey(key);
        if (claim !== undefined && state.claims.seen(claim)) await syncClaim(state, claim);
      },
    });
    const volumeQueue = startReconciler(context, {
      queueName: 'volumes',
      ready,
      workers: 1,
      reconcile: async function reconcileVolume(key) {
        const volume = volumes.lister.byKey(key);
        if (volume !== undefined && state.volumes.seen(volume))
          await syncVolume(state, volume, claimQueue.add);
      },
    });
    /** Upstream leaves this to the next resync. */
    const wakeClaimsFor = ({ spec }: PersistentVolume): void => {
      for (const claim of claims.lister.list())
        if (
          !claim.spec?.volumeName &&
          (claim.spec?.storageClassName ?? '') === (spec?.storageClassName ?? '')
        )
          claimQueue.addObject(claim);
    };
    volumes.addHandler({
      added(volume) {
        state.volumes.seen(volume);
        volumeQueue.addObject(volume);
      },
      updated(before, after) {
        volumeQueue.addObject(after);
        if (becameAvailable(before, after)) wakeClaimsFor(after);
      },
      deleted(volume) {
        const { namespace, name } = volume.spec?.claimRef ?? {};
        state.volumes.delete(volume);
        if (name !== undefined) claimQueue.add(`${namespace}/${name}`);
      },
    });
    claims.addHandler({
      added(claim) {
        state.claims.seen(claim);
        claimQueue.addObject(claim);
      },
      updated: (_before, after) => claimQueue.addObject(after),
      deleted(claim) {
        state.claims.delete(claim);
        if (claim.spec?.volumeName) volumeQueue.add(claim.spec.volumeName);
      },
    });
    const resync = () => {
      for (const claim of claims.lister.list()) claimQueue.add(objectKey(claim));
      for (const volume of volumes.lister.list()) volumeQueue.add(objectKey(volume));
      next = clock.after(resyncMs, resync, { idle: true });
    };
    let next = clock.after(resyncMs, resync, { idle: true });
    signal.addEventListener('abort', () => next.cancel(), { once: true });
  },
};

const becameAvailable = (before: PersistentVolume, after: PersistentVolume): boolean =>
  before.status?.phase !== 'Available' && after.status?.phase === 'Available';
