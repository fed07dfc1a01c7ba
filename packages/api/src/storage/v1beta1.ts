import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../meta/columns.ts';
import * as v1 from './v1/index.ts';

export const TokenRequest = t.structIn('storage/v1beta1', v1.TokenRequest, {
  fields: { audience: t.always(1, t.string) },
});
export interface TokenRequest extends t.Static<typeof TokenRequest> {}

export const CSIDriverSpec = t.structIn('storage/v1beta1', v1.CSIDriverSpec, {
  fields: {
    volumeLifecycleModes: t.optional(3, t.atomicList(t.named('v1beta1.VolumeLifecycleMode', t.string)), {
      default: ['Persistent'],
    }),
    storageCapacity: t.pointer(4, t.bool, { default: false }),
    tokenRequests: t.optional(6, t.atomicList(TokenRequest)),
  },
});
export interface CSIDriverSpec extends t.Static<typeof CSIDriverSpec> {}

export const CSIDriver = t.kindIn('storage/v1beta1', v1.CSIDriver, {
  fields: { spec: t.always(2, CSIDriverSpec) },
  shared: ['columns'],
});
export interface CSIDriver extends t.Static<typeof CSIDriver> {}

export const CSINodeDriver = t.structIn('storage/v1beta1', v1.CSINodeDriver, {
  fields: { name: t.always(1, t.string), nodeID: t.always(2, t.string) },
});
export interface CSINodeDriver extends t.Static<typeof CSINodeDriver> {}

export const CSINodeSpec = t.struct('storage/v1beta1.CSINodeSpec', {
  drivers: t.always(1, t.listMap(CSINodeDriver, ['name']), { patch: 'merge', patchKey: 'name' }),
});
export interface CSINodeSpec extends t.Static<typeof CSINodeSpec> {}

export const CSINode = t.kindIn(
  'storage/v1beta1',
  v1.CSINode,
  { fields: { spec: t.always(2, CSINodeSpec) } },
  {
    columns: [
      nameColumn,
      column('Drivers', ({ spec }) => (spec?.drivers ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface CSINode extends t.Static<typeof CSINode> {}

export const CSIStorageCapacity = t.kindIn('storage/v1beta1', v1.CSIStorageCapacity, {
  fields: { storageClassName: t.always(3, t.string) },
  shared: ['columns'],
});
export interface CSIStorageCapacity extends t.Static<typeof CSIStorageCapacity> {}

export const StorageClass = t.kindIn('storage/v1beta1', v1.StorageClass, {
  fields: {
    provisioner: t.always(2, t.string),
    reclaimPolicy: t.pointer(4, t.named('v1.PersistentVolumeReclaimPolicy', t.string), {
      default: 'Delete',
    }),
    volumeBindingMode: t.pointer(7, t.named('v1beta1.VolumeBindingMode', t.string), {
      default: 'Immediate',
    }),
  },
  shared: ['columns'],
});
export interface StorageClass extends t.Static<typeof StorageClass> {}

export const VolumeAttachmentSource = t.structIn('storage/v1beta1', v1.VolumeAttachmentSource);
export interface VolumeAttachmentSource extends t.Static<typeof VolumeAttachmentSource> {}

export const VolumeAttachmentSpec = t.struct('storage/v1beta1.VolumeAttachmentSpec', {
  attacher: t.always(1, t.string),
  source: t.always(2, VolumeAttachmentSource),
  nodeName: t.always(3, t.string),
});
export interface VolumeAttachmentSpec extends t.Static<typeof VolumeAttachmentSpec> {}

export const VolumeAttachmentStatus = t.structIn('storage/v1beta1', v1.VolumeAttachmentStatus, {
  fields: { attached: t.always(1, t.bool) },
});
export interface VolumeAttachmentStatus extends t.Static<typeof VolumeAttachmentStatus> {}

export const VolumeAttachment = t.kindIn('storage/v1beta1', v1.VolumeAttachment, {
  fields: { spec: t.always(2, VolumeAttachmentSpec), status: t.optional(3, VolumeAttachmentStatus) },
  shared: ['columns'],
});
export interface VolumeAttachment extends t.Static<typeof VolumeAttachment> {}

export const VolumeAttributesClass = t.kindIn('storage/v1beta1', v1.VolumeAttributesClass, {
  shared: ['validate', 'columns'],
});
export interface VolumeAttributesClass extends t.Static<typeof VolumeAttributesClass> {}
