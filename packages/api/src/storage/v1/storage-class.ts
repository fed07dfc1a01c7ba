import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { TopologySelectorTerm } from '../../core/v1/topology-selector-term.ts';
import { validateStorageClass } from '../class-validation.ts';
import { classWarnings } from '../storage-warnings.ts';

export const StorageClass = t.kind(
  'storage/v1.StorageClass',
  'storage.k8s.io/v1',
  { plural: 'storageclasses', shortNames: ['sc'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    provisioner: t.always(2, t.string, { required: true }),
    parameters: t.optional(3, t.map(t.string)),
    reclaimPolicy: t.pointer(
      4,
      t.named('v1.PersistentVolumeReclaimPolicy', t.oneOf(['Recycle', 'Delete', 'Retain'])),
      { default: 'Delete' },
    ),
    mountOptions: t.optional(5, t.atomicList(t.string)),
    allowVolumeExpansion: t.pointer(6, t.bool),
    volumeBindingMode: t.pointer(
      7,
      t.named('v1.VolumeBindingMode', t.oneOf(['Immediate', 'WaitForFirstConsumer'])),
      { default: 'Immediate' },
    ),
    allowedTopologies: t.optional(8, t.atomicList(TopologySelectorTerm)),
  },
  {
    validate: validateStorageClass,
    warnings: classWarnings,
    columns: [
      {
        ...nameColumn,
        cell: ({ metadata }) =>
          (metadata.name ?? '') +
          (defaultAnnotations.some((annotation) => metadata.annotations?.[annotation] === 'true')
            ? ' (default)'
            : ''),
      },
      column('Provisioner', ({ provisioner }) => provisioner),
      column('ReclaimPolicy', ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete'),
      column('VolumeBindingMode', ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate'),
      column('AllowVolumeExpansion', ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false),
      ageColumn,
    ],
  },
);
export interface StorageClass extends t.Static<typeof StorageClass> {}

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
