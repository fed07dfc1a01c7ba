import { always, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PersistentVolumeSpec } from '../../core/v1/persistent-volume.ts';

export const VolumeAttachmentSource = struct('storage/v1.VolumeAttachmentSource', {
  persistentVolumeName: pointer(1, string),
  inlineVolumeSpec: pointer(2, PersistentVolumeSpec),
});
export interface VolumeAttachmentSource extends Static<typeof VolumeAttachmentSource> {}

export const VolumeAttachmentSpec = struct('storage/v1.VolumeAttachmentSpec', {
  attacher: always(1, string, { required: true }),
  source: always(2, VolumeAttachmentSource, { required: true }),
  nodeName: always(3, string, { required: true }),
});
export interface VolumeAttachmentSpec extends Static<typeof VolumeAttachmentSpec> {}
