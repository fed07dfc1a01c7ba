import * as t from '@coxswain/schema';
import { defaultColumns } from '../../meta/columns.ts';
import * as v1 from '../v1/csi-storage-capacity.ts';

export const CSIStorageCapacity = t.kindIn(
  'storage/v1beta1',
  v1.CSIStorageCapacity,
  { fields: { storageClassName: t.always(3, t.string) } },
  { columns: defaultColumns },
);
export interface CSIStorageCapacity extends t.Static<typeof CSIStorageCapacity> {}
