import { always, kind, listMap, ObjectMeta, optional, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { CSINodeDriver } from './csi-node-driver.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateCsiNode } from '../driver-validation.ts';

export const CSINodeSpec = struct('storage/v1.CSINodeSpec', {
  drivers: always(1, listMap(CSINodeDriver, ['name']), { required: true, patch: 'merge', patchKey: 'name' }),
});
export interface CSINodeSpec extends Static<typeof CSINodeSpec> {}

export const CSINode = kind(
  'storage/v1.CSINode',
  'storage.k8s.io/v1',
  { plural: 'csinodes', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, CSINodeSpec, { required: true }),
  },
  {
    validate: validateCsiNode,
    columns: [
      nameColumn,
      column('Drivers', ({ spec }) => (spec?.drivers ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface CSINode extends Static<typeof CSINode> {}
