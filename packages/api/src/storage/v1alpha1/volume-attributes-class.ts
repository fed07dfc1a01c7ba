import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const VolumeAttributesClass = t.kind(
  'storage/v1alpha1.VolumeAttributesClass',
  'storage.k8s.io/v1alpha1',
  { plural: 'volumeattributesclasses', shortNames: ['vac'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    driverName: t.always(2, t.string),
    parameters: t.optional(3, t.map(t.string)),
  },
  {
    columns: [nameColumn, column('DriverName', ({ driverName }) => driverName), ageColumn],
  },
);
export interface VolumeAttributesClass extends t.Static<typeof VolumeAttributesClass> {}
