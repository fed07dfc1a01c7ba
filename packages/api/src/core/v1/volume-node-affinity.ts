import { pointer, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { NodeSelector } from './node-selector.ts';

export const VolumeNodeAffinity = struct('core/v1.VolumeNodeAffinity', {
  required: pointer(1, NodeSelector),
});
export interface VolumeNodeAffinity extends Static<typeof VolumeNodeAffinity> {}
