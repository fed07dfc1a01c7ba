import { always, kind, map, ObjectMeta, optional, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateAttributesClass } from '../class-validation.ts';

export const VolumeAttributesClass = kind(
  'storage/v1.VolumeAttributesClass',
  'storage.k8s.io/v1',
  { plural: 'volumeattributesclasses', shortNames: ['vac'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    driverName: always(2, string, { required: true }),
    parameters: optional(3, map(string)),
  },
  {
    validate: validateAttributesClass,
    columns: [nameColumn, column('DriverName', ({ driverName }) => driverName), ageColumn],
  },
);
export interface VolumeAttributesClass extends Static<typeof VolumeAttributesClass> {}
