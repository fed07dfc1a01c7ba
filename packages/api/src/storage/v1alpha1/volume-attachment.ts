import * as t from '@coxswain/schema';
import * as v1beta1 from '../v1beta1/volume-attachment.ts';

export const VolumeAttachment = t.kindIn('storage/v1alpha1', v1beta1.VolumeAttachment, {
  shared: ['columns'],
});
export interface VolumeAttachment extends t.Static<typeof VolumeAttachment> {}
