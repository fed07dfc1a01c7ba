import { always, atomicList, int32, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const VolumeNodeResources = struct('storage/v1.VolumeNodeResources', {
  count: pointer(1, int32),
});
export interface VolumeNodeResources extends Static<typeof VolumeNodeResources> {}

export const CSINodeDriver = struct('storage/v1.CSINodeDriver', {
  name: always(1, string, { required: true }),
  nodeID: always(2, string, { required: true }),
  topologyKeys: always(3, atomicList(string)),
  allocatable: pointer(4, VolumeNodeResources),
});
export interface CSINodeDriver extends Static<typeof CSINodeDriver> {}
