import {
  always,
  atomicList,
  bool,
  kind,
  map,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  string,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { TopologySelectorTerm } from '../../core/v1/topology-selector-term.ts';
import { storageClassColumns } from './storage-class-columns.ts';
import { validateStorageClass } from '../class-validation.ts';
import { classWarnings } from '../storage-warnings.ts';

export const StorageClass = kind(
  'storage/v1.StorageClass',
  'storage.k8s.io/v1',
  { plural: 'storageclasses', shortNames: ['sc'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    provisioner: always(2, string, { required: true }),
    parameters: optional(3, map(string)),
    reclaimPolicy: pointer(
      4,
      named('v1.PersistentVolumeReclaimPolicy', oneOf(['Recycle', 'Delete', 'Retain'])),
      { default: 'Delete' },
    ),
    mountOptions: optional(5, atomicList(string)),
    allowVolumeExpansion: pointer(6, bool),
    volumeBindingMode: pointer(
      7,
      named('v1.VolumeBindingMode', oneOf(['Immediate', 'WaitForFirstConsumer'])),
      { default: 'Immediate' },
    ),
    allowedTopologies: optional(8, atomicList(TopologySelectorTerm)),
  },
  {
    validate: validateStorageClass,
    warnings: classWarnings,
    columns: storageClassColumns,
  },
);
export interface StorageClass extends Static<typeof StorageClass> {}
