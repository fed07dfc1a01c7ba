import * as t from '@coxswain/schema';
import { CSINodeDriver } from './csi-node-driver.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateCsiNode } from '../driver-validation.ts';

export const CSINodeSpec = t.struct('storage/v1.CSINodeSpec', {
  drivers: t.always(1, t.listMap(CSINodeDriver, ['name']), {
    required: true,
    patch: 'merge',
    patchKey: 'name',
  }),
});
export interface CSINodeSpec extends t.Static<typeof CSINodeSpec> {}

export const CSINode = t.kind(
  'storage/v1.CSINode',
  'storage.k8s.io/v1',
  { plural: 'csinodes', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, CSINodeSpec, { required: true }),
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
export interface CSINode extends t.Static<typeof CSINode> {}
