import {
  atomicList,
  embedded,
  kind,
  map,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  quantity,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { VolumeNodeAffinity } from './volume-node-affinity.ts';
import { ObjectReference } from './object-reference.ts';
import { PersistentVolumeSource } from './volume-sources.ts';
import { roundUpToMilli } from './resource-list.ts';
import { volumeColumns } from './volume-columns.ts';
import { volumeWarnings } from './persistent-volume-warnings.ts';
import { validateVolume, validateVolumeStatus } from './persistent-volume-validation.ts';

export const PersistentVolumeSpec = struct('core/v1.PersistentVolumeSpec', {
  capacity: optional(1, named('v1.ResourceList', map(quantity))),
  persistentVolumeSource: embedded(2, PersistentVolumeSource),
  accessModes: optional(
    3,
    atomicList(
      named(
        'v1.PersistentVolumeAccessMode',
        oneOf(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']),
      ),
    ),
  ),
  claimRef: pointer(4, ObjectReference, { granular: true }),
  persistentVolumeReclaimPolicy: optional(
    5,
    named('v1.PersistentVolumeReclaimPolicy', oneOf(['Recycle', 'Delete', 'Retain'])),
  ),
  storageClassName: optional(6, string),
  mountOptions: optional(7, atomicList(string)),
  volumeMode: pointer(8, named('v1.PersistentVolumeMode', oneOf(['Block', 'Filesystem']))),
  nodeAffinity: pointer(9, VolumeNodeAffinity),
  volumeAttributesClassName: pointer(10, string, { gate: 'VolumeAttributesClass' }),
});
export interface PersistentVolumeSpec extends Static<typeof PersistentVolumeSpec> {}

export const PersistentVolumeStatus = struct('core/v1.PersistentVolumeStatus', {
  phase: optional(
    1,
    named('v1.PersistentVolumePhase', oneOf(['Pending', 'Available', 'Bound', 'Released', 'Failed'])),
    { default: 'Pending' },
  ),
  message: optional(2, string),
  reason: optional(3, string),
  lastPhaseTransitionTime: pointer(4, time),
});
export interface PersistentVolumeStatus extends Static<typeof PersistentVolumeStatus> {}

export const PersistentVolume = kind(
  'core/v1.PersistentVolume',
  'v1',
  { plural: 'persistentvolumes', shortNames: ['pv'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, PersistentVolumeSpec),
    status: optional(3, PersistentVolumeStatus),
  },
  {
    defaults: [defaultVolume],
    validate: validateVolume,
    validateStatus: validateVolumeStatus,
    warnings: volumeWarnings,
    columns: volumeColumns,
  },
);
export interface PersistentVolume extends Static<typeof PersistentVolume> {}

/** Not of the volume inside a VolumeAttachment. */
function defaultVolume({ spec }: { spec: PersistentVolumeSpec }): void {
  roundUpToMilli(spec.capacity);
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
}
