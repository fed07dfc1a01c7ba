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
