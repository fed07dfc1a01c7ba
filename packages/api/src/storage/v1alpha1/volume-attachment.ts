import * as t from '@coxswain/schema';
import { PersistentVolumeSpec } from '../../core/v1/persistent-volume.ts';
import { attachmentColumns } from '../v1/volume-attachment-columns.ts';

export const VolumeAttachmentSource = t.struct('storage/v1alpha1.VolumeAttachmentSource', {
  persistentVolumeName: t.pointer(1, t.string),
  inlineVolumeSpec: t.pointer(2, PersistentVolumeSpec),
});
export interface VolumeAttachmentSource extends t.Static<typeof VolumeAttachmentSource> {}

export const VolumeAttachmentSpec = t.struct('storage/v1alpha1.VolumeAttachmentSpec', {
  attacher: t.always(1, t.string),
  source: t.always(2, VolumeAttachmentSource),
  nodeName: t.always(3, t.string),
});
export interface VolumeAttachmentSpec extends t.Static<typeof VolumeAttachmentSpec> {}

export const VolumeError = t.struct('storage/v1alpha1.VolumeError', {
  time: t.optional(1, t.time),
  message: t.optional(2, t.string),
  errorCode: t.pointer(3, t.int32, { gate: 'MutableCSINodeAllocatableCount' }),
});
export interface VolumeError extends t.Static<typeof VolumeError> {}

export const VolumeAttachmentStatus = t.struct('storage/v1alpha1.VolumeAttachmentStatus', {
  attached: t.always(1, t.bool),
  attachmentMetadata: t.optional(2, t.map(t.string)),
  attachError: t.pointer(3, VolumeError),
  detachError: t.pointer(4, VolumeError),
});
export interface VolumeAttachmentStatus extends t.Static<typeof VolumeAttachmentStatus> {}

export const VolumeAttachment = t.kind(
  'storage/v1alpha1.VolumeAttachment',
  'storage.k8s.io/v1alpha1',
  { plural: 'volumeattachments', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, VolumeAttachmentSpec),
    status: t.optional(3, VolumeAttachmentStatus),
  },
  {
    columns: attachmentColumns,
  },
);
export interface VolumeAttachment extends t.Static<typeof VolumeAttachment> {}
