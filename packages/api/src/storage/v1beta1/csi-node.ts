import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import * as v1 from '../v1/index.ts';

export const CSINodeDriver = t.structIn('storage/v1beta1', v1.CSINodeDriver, {
  fields: { name: t.always(1, t.string), nodeID: t.always(2, t.string) },
});
export interface CSINodeDriver extends t.Static<typeof CSINodeDriver> {}

export const CSINodeSpec = t.struct('storage/v1beta1.CSINodeSpec', {
  drivers: t.always(1, t.listMap(CSINodeDriver, ['name']), { patch: 'merge', patchKey: 'name' }),
});
export interface CSINodeSpec extends t.Static<typeof CSINodeSpec> {}

export const CSINode = t.kindIn(
  'storage/v1beta1',
  v1.CSINode,
  { fields: { spec: t.always(2, CSINodeSpec) } },
  {
    columns: [
      nameColumn,
      column('Drivers', ({ spec }) => (spec?.drivers ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface CSINode extends t.Static<typeof CSINode> {}
