import * as t from '@coxswain/schema';
import { PersistentVolumeSpec } from '../../core/v1/persistent-volume-spec.ts';

export const VolumeAttachmentSource = t.struct('storage/v1.VolumeAttachmentSource', {
  persistentVolumeName: t.pointer(1, t.string),
  inlineVolumeSpec: t.pointer(2, PersistentVolumeSpec),
});
export interface VolumeAttachmentSource extends t.Static<typeof VolumeAttachmentSource> {}

export const VolumeAttachmentSpec = t.struct('storage/v1.VolumeAttachmentSpec', {
  attacher: t.always(1, t.string, { required: true }),
  source: t.always(2, VolumeAttachmentSource, { required: true }),
  nodeName: t.always(3, t.string, { required: true }),
});
export interface VolumeAttachmentSpec extends t.Static<typeof VolumeAttachmentSpec> {}

export const VolumeError = t.struct('storage/v1.VolumeError', {
  time: t.optional(1, t.time),
  message: t.optional(2, t.string),
  errorCode: t.pointer(3, t.int32, { gate: 'MutableCSINodeAllocatableCount' }),
});
export interface VolumeError extends t.Static<typeof VolumeError> {}

export const VolumeAttachmentStatus = t.struct('storage/v1.VolumeAttachmentStatus', {
  attached: t.always(1, t.bool, { required: true }),
  attachmentMetadata: t.optional(2, t.map(t.string)),
  attachError: t.pointer(3, VolumeError),
  detachError: t.pointer(4, VolumeError),
});
export interface VolumeAttachmentStatus extends t.Static<typeof VolumeAttachmentStatus> {}
