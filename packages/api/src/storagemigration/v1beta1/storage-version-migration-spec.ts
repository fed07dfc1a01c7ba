import * as t from '@coxswain/schema';
import { GroupResource } from '../../meta/v1/group-resource.ts';

export const StorageVersionMigrationSpec = t.struct('storagemigration/v1beta1.StorageVersionMigrationSpec', {
  resource: t.always(1, GroupResource, { required: true }),
});
export interface StorageVersionMigrationSpec extends t.Static<typeof StorageVersionMigrationSpec> {}
