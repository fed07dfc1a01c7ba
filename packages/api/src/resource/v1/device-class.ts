import * as t from '@coxswain/schema';
import { nameColumn, ageColumn } from '../../meta/columns.ts';
import { validateDeviceClass } from '../device-class-validation.ts';
import { DeviceClassSpec } from './device-class-spec.ts';

export const DeviceClass = t.kind(
  'resource/v1.DeviceClass',
  'resource.k8s.io/v1',
  { plural: 'deviceclasses', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, DeviceClassSpec, { required: true }),
  },
  {
    validate: validateDeviceClass,
    columns: [nameColumn, ageColumn],
  },
);
export interface DeviceClass extends t.Static<typeof DeviceClass> {}
