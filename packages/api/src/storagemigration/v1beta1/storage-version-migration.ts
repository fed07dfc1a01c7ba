import { always, kind, listMap, ObjectMeta, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { GroupResource } from '../../meta/v1/group-resource.ts';
import { migrationColumns } from './storage-version-migration-columns.ts';
import { validateMigration, validateMigrationStatus } from '../migration-validation.ts';

export const StorageVersionMigrationSpec = struct('storagemigration/v1beta1.StorageVersionMigrationSpec', {
  resource: always(1, GroupResource, { required: true }),
});
export interface StorageVersionMigrationSpec extends Static<typeof StorageVersionMigrationSpec> {}

export const StorageVersionMigrationStatus = struct(
  'storagemigration/v1beta1.StorageVersionMigrationStatus',
  {
    conditions: optional(1, listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
    resourceVersion: optional(2, string),
  },
);
export interface StorageVersionMigrationStatus extends Static<typeof StorageVersionMigrationStatus> {}

export const StorageVersionMigration = kind(
  'storagemigration/v1beta1.StorageVersionMigration',
  'storagemigration.k8s.io/v1beta1',
  { plural: 'storageversionmigrations', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, StorageVersionMigrationSpec),
    status: optional(3, StorageVersionMigrationStatus),
  },
  {
    validate: validateMigration,
    validateStatus: validateMigrationStatus,
    columns: migrationColumns,
  },
);
export interface StorageVersionMigration extends Static<typeof StorageVersionMigration> {}
