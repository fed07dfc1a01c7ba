import {
  always,
  bool,
  int32,
  kind,
  map,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { VolumeAttachmentSpec } from './volume-attachment-spec.ts';
import { attachmentColumns } from './volume-attachment-columns.ts';
import { validateAttachment } from '../volume-attachment-validation.ts';

export const VolumeError = struct('storage/v1.VolumeError', {
  time: optional(1, time),
  message: optional(2, string),
  errorCode: pointer(3, int32, { gate: 'MutableCSINodeAllocatableCount' }),
});
export interface VolumeError extends Static<typeof VolumeError> {}

export const VolumeAttachmentStatus = struct('storage/v1.VolumeAttachmentStatus', {
  attached: always(1, bool, { required: true }),
  attachmentMetadata: optional(2, map(string)),
  attachError: pointer(3, VolumeError),
  detachError: pointer(4, VolumeError),
});
export interface VolumeAttachmentStatus extends Static<typeof VolumeAttachmentStatus> {}

export const VolumeAttachment = kind(
  'storage/v1.VolumeAttachment',
  'storage.k8s.io/v1',
  { plural: 'volumeattachments', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, VolumeAttachmentSpec, { required: true }),
    status: optional(3, VolumeAttachmentStatus),
  },
  {
    validate: validateAttachment,
    validateStatus: validateAttachment,
    columns: attachmentColumns,
  },
);
export interface VolumeAttachment extends Static<typeof VolumeAttachment> {}
