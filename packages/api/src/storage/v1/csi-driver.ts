import * as t from '@coxswain/schema';
import { driverColumns } from './csi-driver-columns.ts';
import { validateDriver } from '../driver-validation.ts';
import { driverWarnings } from '../storage-warnings.ts';
import { CSIDriverSpec } from './csi-driver-spec.ts';

export const CSIDriver = t.kind(
  'storage/v1.CSIDriver',
  'storage.k8s.io/v1',
  { plural: 'csidrivers', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, CSIDriverSpec, { required: true }),
  },
  {
    validate: validateDriver,
    warnings: driverWarnings,
    columns: driverColumns,
  },
);
export interface CSIDriver extends t.Static<typeof CSIDriver> {}
