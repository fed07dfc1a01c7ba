import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
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
    columns: [
      nameColumn,
      column('AttachRequired', ({ spec }) => spec.attachRequired ?? true, 'boolean'),
      column('PodInfoOnMount', ({ spec }) => spec.podInfoOnMount ?? false, 'boolean'),
      column('StorageCapacity', ({ spec }) => spec.storageCapacity ?? false, 'boolean'),
      column(
        'TokenRequests',
        ({ spec }) => spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
      ),
      column('RequiresRepublish', ({ spec }) => spec.requiresRepublish ?? false, 'boolean'),
      column('Modes', ({ spec }) => (spec.volumeLifecycleModes ?? []).join(',') || '<none>'),
      ageColumn,
    ],
  },
);
export interface CSIDriver extends t.Static<typeof CSIDriver> {}
