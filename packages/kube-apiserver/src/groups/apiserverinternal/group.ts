import { StorageVersion } from '@coxswain/api/apiserverinternal/v1alpha1/index.ts';
import { onRequest, resource, type Group } from '../resource.ts';

export const apiserverInternalGroup: Group = {
  name: 'internal.apiserver.k8s.io',
  versions: [onRequest('v1alpha1')],
  resources: [
    resource(StorageVersion, { status: { keepsMetadata: 'all' }, allowUnconditionalUpdate: false }),
  ],
};
