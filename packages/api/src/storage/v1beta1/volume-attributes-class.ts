import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateAttributesClass } from '../class-validation.ts';

export const VolumeAttributesClass = t.kind(
  'storage/v1beta1.VolumeAttributesClass',
  'storage.k8s.io/v1beta1',
  { plural: 'volumeattributesclasses', shortNames: ['vac'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    driverName: t.always(2, t.string, { required: true }),
    parameters: t.optional(3, t.map(t.string)),
  },
  {
    validate: validateAttributesClass,
    columns: [nameColumn, column('DriverName', ({ driverName }) => driverName), ageColumn],
  },
);
export interface VolumeAttributesClass extends t.Static<typeof VolumeAttributesClass> {}
