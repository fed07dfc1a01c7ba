import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateConfigMap } from './config-data-validation.ts';

export const ConfigMap = t.kind(
  'core/v1.ConfigMap',
  'v1',
  { plural: 'configmaps', shortNames: ['cm'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    immutable: t.pointer(4, t.bool),
    data: t.optional(2, t.map(t.string), { default: {} }),
    binaryData: t.optional(3, t.map(t.bytes)),
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
export interface ConfigMap extends t.Static<typeof ConfigMap> {}

const countOf = (members: object | undefined): number => Object.keys(members ?? {}).length;
