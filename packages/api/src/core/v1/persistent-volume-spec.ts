import * as t from '@coxswain/schema';
import { VolumeNodeAffinity } from './volume-node-affinity.ts';
import { ObjectReference } from './object-reference.ts';
import { PersistentVolumeSource } from './volume-sources.ts';

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
