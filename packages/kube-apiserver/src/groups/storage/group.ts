import * as v1 from '@coxswain/api/storage/v1/index.ts';
import * as v1beta1 from '@coxswain/api/storage/v1beta1/index.ts';
import { onRequest, resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';

export const storageGroup: Group = {
  name: 'storage.k8s.io',
  versions: [served('v1'), onRequest('v1beta1')],
  resources: [
    resource(v1.CSIDriver, {
      generation: { onCreate: false, on: ['spec'] },
      allowUnconditionalUpdate: false,
      returnDeletedObject: true,
    }),
    resource(v1.CSINode, { allowUnconditionalUpdate: false, returnDeletedObject: true }),
    resource(v1.CSIStorageCapacity, { allowUnconditionalUpdate: false }),
    resource(v1.StorageClass, { returnDeletedObject: true }),
    resource(v1.VolumeAttachment, {
      status: { keepsMetadata: 'all' },
      allowUnconditionalUpdate: false,
      returnDeletedObject: true,
    }),
    resource(v1.VolumeAttributesClass, {
      returnDeletedObject: true,
      alsoAs: [{ kind: v1beta1.VolumeAttributesClass }],
    }),
  ],
};
