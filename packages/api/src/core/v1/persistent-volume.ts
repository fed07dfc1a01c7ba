import * as t from '@coxswain/schema';
import { VolumeNodeAffinity } from './volume-node-affinity.ts';
import { ObjectReference } from './object-reference.ts';
import { PersistentVolumeSource } from './volume-sources.ts';
import { roundUpToMilli } from './resource-list.ts';
import { volumeColumns } from './volume/volume-columns.ts';
import { volumeWarnings } from './volume/persistent-volume-warnings.ts';
import { validateVolume, validateVolumeStatus } from './volume/persistent-volume-validation.ts';

export const PersistentVolumeSpec = t.struct('core/v1.PersistentVolumeSpec', {
  capacity: t.optional(1, t.named('v1.ResourceList', t.map(t.quantity))),
  persistentVolumeSource: t.embedded(2, PersistentVolumeSource),
  accessModes: t.optional(
    3,
    t.atomicList(
      t.named(
        'v1.PersistentVolumeAccessMode',
        t.oneOf(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']),
      ),
    ),
  ),
  claimRef: t.pointer(4, ObjectReference, { granular: true }),
  persistentVolumeReclaimPolicy: t.optional(
    5,
    t.named('v1.PersistentVolumeReclaimPolicy', t.oneOf(['Recycle', 'Delete', 'Retain'])),
  ),
  storageClassName: t.optional(6, t.string),
  mountOptions: t.optional(7, t.atomicList(t.string)),
  volumeMode: t.pointer(8, t.named('v1.PersistentVolumeMode', t.oneOf(['Block', 'Filesystem']))),
  nodeAffinity: t.pointer(9, VolumeNodeAffinity),
  volumeAttributesClassName: t.pointer(10, t.string, { gate: 'VolumeAttributesClass' }),
});
export interface PersistentVolumeSpec extends t.Static<typeof PersistentVolumeSpec> {}

export const PersistentVolumeStatus = t.struct('core/v1.PersistentVolumeStatus', {
  phase: t.optional(
    1,
    t.named('v1.PersistentVolumePhase', t.oneOf(['Pending', 'Available', 'Bound', 'Released', 'Failed'])),
    { default: 'Pending' },
  ),
  message: t.optional(2, t.string),
  reason: t.optional(3, t.string),
  lastPhaseTransitionTime: t.pointer(4, t.time),
});
export interface PersistentVolumeStatus extends t.Static<typeof PersistentVolumeStatus> {}

export const PersistentVolume = t.kind(
  'core/v1.PersistentVolume',
  'v1',
  { plural: 'persistentvolumes', shortNames: ['pv'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, PersistentVolumeSpec),
    status: t.optional(3, PersistentVolumeStatus),
  },
  {
    defaults: [defaultVolume],
    validate: validateVolume,
    validateStatus: validateVolumeStatus,
    warnings: volumeWarnings,
    columns: volumeColumns,
  },
);
export interface PersistentVolume extends t.Static<typeof PersistentVolume> {}

/** Not of the volume inside a VolumeAttachment. */
function defaultVolume({ spec }: { spec: PersistentVolumeSpec }): void {
  roundUpToMilli(spec.capacity);
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
}
