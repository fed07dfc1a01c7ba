import { bool, bytes, kind, map, ObjectMeta, optional, pointer, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const Secret = kind(
  'core/v1.Secret',
  'v1',
  { plural: 'secrets', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    immutable: pointer(5, bool),
    data: optional(2, map(bytes)),
    stringData: optional(4, map(string)),
    type: optional(3, string, { default: 'Opaque' }),
  },
  {
    columns: [
      nameColumn,
      column('Type', ({ type }) => type ?? ''),
      column('Data', ({ data }) => Object.keys(data ?? {}).length),
      ageColumn,
    ],
    selectableFields: { type: ({ type }) => type ?? '' },
    metadataSelectors: 'listed',
  },
);
export interface Secret extends Static<typeof Secret> {}
