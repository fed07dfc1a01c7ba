import * as t from '@coxswain/schema';
import { storageClassColumns } from '../v1/storage-class-columns.ts';
import * as v1 from '../v1/storage-class.ts';

export const StorageClass = t.kindIn(
  'storage/v1beta1',
  v1.StorageClass,
  {
    fields: {
      provisioner: t.always(2, t.string),
      reclaimPolicy: t.pointer(4, t.named('v1.PersistentVolumeReclaimPolicy', t.string), {
        default: 'Delete',
      }),
      volumeBindingMode: t.pointer(7, t.named('v1beta1.VolumeBindingMode', t.string), {
        default: 'Immediate',
      }),
    },
  },
  { columns: storageClassColumns },
);
export interface StorageClass extends t.Static<typeof StorageClass> {}
