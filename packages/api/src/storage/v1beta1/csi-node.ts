import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const VolumeNodeResources = t.struct('storage/v1beta1.VolumeNodeResources', {
  count: t.pointer(1, t.int32),
});
export interface VolumeNodeResources extends t.Static<typeof VolumeNodeResources> {}

export const CSINodeDriver = t.struct('storage/v1beta1.CSINodeDriver', {
  name: t.always(1, t.string),
  nodeID: t.always(2, t.string),
  topologyKeys: t.always(3, t.atomicList(t.string)),
  allocatable: t.pointer(4, VolumeNodeResources),
});
export interface CSINodeDriver extends t.Static<typeof CSINodeDriver> {}

export const CSINodeSpec = t.struct('storage/v1beta1.CSINodeSpec', {
  drivers: t.always(1, t.listMap(CSINodeDriver, ['name']), { patch: 'merge', patchKey: 'name' }),
});
export interface CSINodeSpec extends t.Static<typeof CSINodeSpec> {}

export const CSINode = t.kind(
  'storage/v1beta1.CSINode',
  'storage.k8s.io/v1beta1',
  { plural: 'csinodes', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, CSINodeSpec),
  },
  {
    columns: [
      nameColumn,
      column('Drivers', ({ spec }) => (spec?.drivers ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface CSINode extends t.Static<typeof CSINode> {}
