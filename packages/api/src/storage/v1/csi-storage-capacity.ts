import { always, kind, ObjectMeta, optional, pointer, quantity, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultColumns } from '../../meta/columns.ts';
import { validateCapacity } from '../driver-validation.ts';
import { capacityWarnings } from '../storage-warnings.ts';

export const CSIStorageCapacity = kind(
  'storage/v1.CSIStorageCapacity',
  'storage.k8s.io/v1',
  { plural: 'csistoragecapacities', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    nodeTopology: pointer(2, LabelSelector),
    storageClassName: always(3, string, { required: true }),
    capacity: pointer(4, quantity),
    maximumVolumeSize: pointer(5, quantity),
  },
  {
    validate: validateCapacity,
    warnings: capacityWarnings,
    columns: defaultColumns,
  },
);
export interface CSIStorageCapacity extends Static<typeof CSIStorageCapacity> {}
