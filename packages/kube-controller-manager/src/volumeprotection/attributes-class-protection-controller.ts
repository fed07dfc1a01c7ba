/** Protects VolumeAttributesClasses that claims or volumes use from deletion. */

import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import {
  resources,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type VolumeAttributesClass,
} from '../objects.ts';
import { startReconciler } from '../reconciler.ts';
import { guardDeletion, needsGuard, type DeletionGuard } from './deletion-guard.ts';

const finalizer = 'kubernetes.io/vac-protection';
const classIndex = 'volumeAttributesClass';

export const attributesClassProtectionController: Controller = {
  name: 'volumeattributesclass-protection-controller',
  aliases: [],
  featureGates: ['VolumeAttributesClass'],
  serviceAccount: 'volumeattributesclass-protection-controller',
  start(context) {
    const { informers } = context;
    const classes = informers.informer<VolumeAttributesClass>(resources.volumeAttributesClasses);
    const volumes = informers.informer<PersistentVolume>(resources.persistentVolumes, {
      [classIndex]: classesOfVolume,
    });
    const claims = informers.informer<PersistentVolumeClaim>(resources.persistentVolumeClaims, {
      [classIndex]: classesOfClaim,
    });
    const guard: DeletionGuard<VolumeAttributesClass> = {
      finalizer,
      client: () => context.client.resource<VolumeAttributesClass>(resources.volumeAttributesClasses),
      isUsed: ({ metadata: { name = '' } }) =>
        volumes.lister.byIndex(classIndex, name).length > 0 ||
        claims.lister.byIndex(classIndex, name).length > 0,
    };
    const reconciler = startReconciler(context, {
      queueName: 'vacprotection',
      ready: () => Promise.all([classes.synced, volumes.synced, claims.synced]),
      reconcile: async function syncAttributesClassProtection(name) {
        const attributesClass = classes.lister.get(name);
        if (attributesClass !== undefined) await guardDeletion(guard, attributesClass);
      },
    });
    const look = (attributesClass: VolumeAttributesClass) => {
      if (needsGuard(attributesClass, finalizer)) reconciler.addObject(attributesClass);
    };
    classes.addHandler(onWrite(look));
    /** Checks the classes that the object no longer uses. */
    const watchOver = <T>(classesOf: (object: T) => readonly string[]) => ({
      updated(before: T, after: T) {
        const kept = classesOf(after);
        for (const name of classesOf(before)) if (!kept.includes(name)) reconciler.add(name);
      },
      deleted: (object: T) => classesOf(object).forEach((name) => reconciler.add(name)),
    });
    volumes.addHandler(watchOver(classesOfVolume));
    claims.addHandler(watchOver(classesOfClaim));
  },
};

const named = (...names: (string | null | undefined)[]): readonly string[] =>
  names.filter((name): name is string => Boolean(name));

const classesOfVolume = ({ spec }: PersistentVolume): readonly string[] =>
  named(spec?.volumeAttributesClassName);

/** The current class, the requested one, and the one of a modification in progress. */
const classesOfClaim = ({ spec, status }: PersistentVolumeClaim): readonly string[] =>
  named(
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  );
