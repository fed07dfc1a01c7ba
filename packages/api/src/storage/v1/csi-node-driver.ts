import * as t from '@coxswain/schema';

export const VolumeNodeResources = t.struct('storage/v1.VolumeNodeResources', {
  count: t.pointer(1, t.int32),
});
export interface VolumeNodeResources extends t.Static<typeof VolumeNodeResources> {}

export const CSINodeDriver = t.struct('storage/v1.CSINodeDriver', {
  name: t.always(1, t.string, { required: true }),
  nodeID: t.always(2, t.string, { required: true }),
  topologyKeys: t.always(3, t.atomicList(t.string)),
  allocatable: t.pointer(4, VolumeNodeResources),
});
export interface CSINodeDriver extends t.Static<typeof CSINodeDriver> {}
