import {
  always,
  atomicList,
  bool,
  kind,
  map,
  ObjectMeta,
  optional,
  pointer,
  string,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { TopologySelectorTerm } from '../../core/v1/topology-selector-term.ts';
import { storageClassColumns } from '../v1/storage-class-columns.ts';

export const StorageClass = kind(
  'storage/v1beta1.StorageClass',
  'storage.k8s.io/v1beta1',
  { plural: 'storageclasses', shortNames: ['sc'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    provisioner: always(2, string),
    parameters: optional(3, map(string)),
    reclaimPolicy: pointer(4, named('v1.PersistentVolumeReclaimPolicy', string), { default: 'Delete' }),
    mountOptions: optional(5, atomicList(string)),
    allowVolumeExpansion: pointer(6, bool),
    volumeBindingMode: pointer(7, named('v1beta1.VolumeBindingMode', string), { default: 'Immediate' }),
    allowedTopologies: optional(8, atomicList(TopologySelectorTerm)),
  },
  {
    columns: storageClassColumns,
  },
);
export interface StorageClass extends Static<typeof StorageClass> {}
