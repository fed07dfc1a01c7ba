import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultColumns } from '../../meta/columns.ts';
import { validateCapacity } from '../driver-validation.ts';
import { capacityWarnings } from '../storage-warnings.ts';

export const CSIStorageCapacity = t.kind(
  'storage/v1.CSIStorageCapacity',
  'storage.k8s.io/v1',
  { plural: 'csistoragecapacities', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    nodeTopology: t.pointer(2, LabelSelector),
    storageClassName: t.always(3, t.string, { required: true }),
    capacity: t.pointer(4, t.quantity),
    maximumVolumeSize: t.pointer(5, t.quantity),
  },
  {
    validate: validateCapacity,
    warnings: capacityWarnings,
    columns: defaultColumns,
  },
);
export interface CSIStorageCapacity extends t.Static<typeof CSIStorageCapacity> {}
