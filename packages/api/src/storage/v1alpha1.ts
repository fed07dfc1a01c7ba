import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../meta/columns.ts';
import * as v1beta1 from './v1beta1.ts';

export const CSIStorageCapacity = t.kindIn('storage/v1alpha1', v1beta1.CSIStorageCapacity, {
  shared: ['columns'],
});
export interface CSIStorageCapacity extends t.Static<typeof CSIStorageCapacity> {}

export const VolumeAttachment = t.kindIn('storage/v1alpha1', v1beta1.VolumeAttachment, {
  shared: ['columns'],
});
export interface VolumeAttachment extends t.Static<typeof VolumeAttachment> {}

export const VolumeAttributesClass = t.kindIn(
  'storage/v1alpha1',
  v1beta1.VolumeAttributesClass,
  { fields: { driverName: t.always(2, t.string) } },
  { columns: [nameColumn, column('DriverName', ({ driverName }) => driverName), ageColumn] },
);
export interface VolumeAttributesClass extends t.Static<typeof VolumeAttributesClass> {}
