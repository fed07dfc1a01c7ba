import {
  always,
  atomicList,
  int32,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const VolumeNodeResources = struct('storage/v1beta1.VolumeNodeResources', {
  count: pointer(1, int32),
});
export interface VolumeNodeResources extends Static<typeof VolumeNodeResources> {}

export const CSINodeDriver = struct('storage/v1beta1.CSINodeDriver', {
  name: always(1, string),
  nodeID: always(2, string),
  topologyKeys: always(3, atomicList(string)),
  allocatable: pointer(4, VolumeNodeResources),
});
export interface CSINodeDriver extends Static<typeof CSINodeDriver> {}

export const CSINodeSpec = struct('storage/v1beta1.CSINodeSpec', {
  drivers: always(1, listMap(CSINodeDriver, ['name']), { patch: 'merge', patchKey: 'name' }),
});
export interface CSINodeSpec extends Static<typeof CSINodeSpec> {}

export const CSINode = kind(
  'storage/v1beta1.CSINode',
  'storage.k8s.io/v1beta1',
  { plural: 'csinodes', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, CSINodeSpec),
  },
  {
    columns: [
      nameColumn,
      column('Drivers', ({ spec }) => (spec?.drivers ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface CSINode extends Static<typeof CSINode> {}
