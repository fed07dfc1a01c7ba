import { formatGroupResource } from '@coxswain/apimachinery';
import * as t from '@coxswain/schema';
import { column, nameColumn } from '../../meta/columns.ts';
import { validateMigration, validateMigrationStatus } from '../migration-validation.ts';
import { StorageVersionMigrationSpec } from './storage-version-migration-spec.ts';
import { StorageVersionMigrationStatus } from './storage-version-migration-status.ts';

const states = ['Running', 'Failed', 'Succeeded'];

export const StorageVersionMigration = t.kind(
  'storagemigration/v1beta1.StorageVersionMigration',
  'storagemigration.k8s.io/v1beta1',
  { plural: 'storageversionmigrations', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, StorageVersionMigrationSpec),
    status: t.optional(3, StorageVersionMigrationStatus),
  },
  {
    validate: validateMigration,
    validateStatus: validateMigrationStatus,
    columns: [
      column('Name', nameColumn.cell),
      column('Resource', ({ spec }) => formatGroupResource(spec.resource)),
      column(
        'Status',
        ({ status }) =>
          (status?.conditions ?? []).findLast(
            ({ type, status: holds }) => holds === 'True' && states.includes(type),
          )?.type ?? 'Unknown',
      ),
    ],
  },
);
export interface StorageVersionMigration extends t.Static<typeof StorageVersionMigration> {}
