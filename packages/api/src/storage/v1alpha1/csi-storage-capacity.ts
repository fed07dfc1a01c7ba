import * as t from '@coxswain/schema';
import * as v1beta1 from '../v1beta1/csi-storage-capacity.ts';

export const CSIStorageCapacity = t.kindIn('storage/v1alpha1', v1beta1.CSIStorageCapacity, {
  shared: ['columns'],
});
export interface CSIStorageCapacity extends t.Static<typeof CSIStorageCapacity> {}
