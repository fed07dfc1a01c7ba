import * as t from '@coxswain/schema';
import { attachmentColumns } from '../v1/volume-attachment-columns.ts';
import * as v1 from '../v1/index.ts';

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

export const VolumeAttachment = t.kindIn(
  'storage/v1beta1',
  v1.VolumeAttachment,
  { fields: { spec: t.always(2, VolumeAttachmentSpec), status: t.optional(3, VolumeAttachmentStatus) } },
  { columns: attachmentColumns },
);
export interface VolumeAttachment extends t.Static<typeof VolumeAttachment> {}
