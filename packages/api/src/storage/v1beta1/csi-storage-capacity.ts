import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultColumns } from '../../meta/columns.ts';

export const CSIStorageCapacity = t.kind(
  'storage/v1beta1.CSIStorageCapacity',
  'storage.k8s.io/v1beta1',
  { plural: 'csistoragecapacities', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    nodeTopology: t.pointer(2, LabelSelector),
    storageClassName: t.always(3, t.string),
    capacity: t.pointer(4, t.quantity),
    maximumVolumeSize: t.pointer(5, t.quantity),
  },
  {
    columns: defaultColumns,
  },
);
export interface CSIStorageCapacity extends t.Static<typeof CSIStorageCapacity> {}
