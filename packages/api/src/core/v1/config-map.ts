import { bool, bytes, kind, map, ObjectMeta, optional, pointer, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateConfigMap } from './config-data-validation.ts';

export const ConfigMap = kind(
  'core/v1.ConfigMap',
  'v1',
  { plural: 'configmaps', shortNames: ['cm'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    immutable: pointer(4, bool),
    data: optional(2, map(string), { default: {} }),
    binaryData: optional(3, map(bytes)),
  },
  {
    validate: validateConfigMap,
    columns: [
      nameColumn,
      column('Data', ({ data, binaryData }) => countOf(data) + countOf(binaryData)),
      ageColumn,
    ],
  },
);
export interface ConfigMap extends Static<typeof ConfigMap> {}

const countOf = (members: object | undefined): number => Object.keys(members ?? {}).length;
