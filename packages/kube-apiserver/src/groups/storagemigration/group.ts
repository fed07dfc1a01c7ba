import { StorageVersionMigration } from '@coxswain/api/storagemigration/v1beta1/index.ts';
import { onRequest, resource, type Group } from '../resource.ts';

export const storagemigrationGroup: Group = {
  name: 'storagemigration.k8s.io',
  versions: [onRequest('v1beta1')],
  resources: [
    resource(StorageVersionMigration, {
      gate: 'StorageVersionMigrator',
      status: { keepsMetadata: 'all' },
      allowUnconditionalUpdate: false,
    }),
  ],
};
