import * as t from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { GroupResource } from '../../meta/v1/group-resource.ts';
import { migrationColumns } from './storage-version-migration-columns.ts';
import { validateMigration, validateMigrationStatus } from '../migration-validation.ts';

export const StorageVersionMigrationSpec = t.struct('storagemigration/v1beta1.StorageVersionMigrationSpec', {
  resource: t.always(1, GroupResource, { required: true }),
});
export interface StorageVersionMigrationSpec extends t.Static<typeof StorageVersionMigrationSpec> {}

export const StorageVersionMigrationStatus = t.struct(
  'storagemigration/v1beta1.StorageVersionMigrationStatus',
  {
    conditions: t.optional(1, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
    resourceVersion: t.optional(2, t.string),
  },
);
export interface StorageVersionMigrationStatus extends t.Static<typeof StorageVersionMigrationStatus> {}

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
    columns: migrationColumns,
  },
);
export interface StorageVersionMigration extends t.Static<typeof StorageVersionMigration> {}
