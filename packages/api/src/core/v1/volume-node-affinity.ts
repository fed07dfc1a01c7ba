import * as t from '@coxswain/schema';
import { NodeSelector } from './node-selector.ts';

export const VolumeNodeAffinity = t.struct('core/v1.VolumeNodeAffinity', {
  required: t.pointer(1, NodeSelector),
});
export interface VolumeNodeAffinity extends t.Static<typeof VolumeNodeAffinity> {}
