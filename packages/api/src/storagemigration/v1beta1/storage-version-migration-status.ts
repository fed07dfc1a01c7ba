import * as t from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';

export const StorageVersionMigrationStatus = t.struct(
  'storagemigration/v1beta1.StorageVersionMigrationStatus',
  {
    conditions: t.optional(1, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
    resourceVersion: t.optional(2, t.string),
  },
);
export interface StorageVersionMigrationStatus extends t.Static<typeof StorageVersionMigrationStatus> {}
