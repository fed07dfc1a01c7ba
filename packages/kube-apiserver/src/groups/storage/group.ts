import * as v1 from '@coxswain/api/storage/v1/index.ts';
import * as v1alpha1 from '@coxswain/api/storage/v1alpha1.ts';
import * as v1beta1 from '@coxswain/api/storage/v1beta1.ts';
import { legacy, legacyVersion, onRequest, resource, served, type Group } from '../resource.ts';
import { openStatus } from './volume-attachment-v1beta1.ts';

export const storageGroup: Group = {
  name: 'storage.k8s.io',
  versions: [served('v1'), onRequest('v1beta1'), legacyVersion('v1alpha1')],
  resources: [
    resource(v1.CSIDriver, {
      gatedMembers: ['spec'],
      alsoAs: [legacy(v1beta1.CSIDriver)],
      generation: { onCreate: false, on: ['spec'] },
      allowUnconditionalUpdate: false,
      returnDeletedObject: true,
    }),
    resource(v1.CSINode, {
      alsoAs: [legacy(v1beta1.CSINode)],
      allowUnconditionalUpdate: false,
      returnDeletedObject: true,
    }),
    resource(v1.CSIStorageCapacity, {
      alsoAs: [legacy(v1beta1.CSIStorageCapacity), legacy(v1alpha1.CSIStorageCapacity)],
      allowUnconditionalUpdate: false,
    }),
    resource(v1.StorageClass, { alsoAs: [legacy(v1beta1.StorageClass)], returnDeletedObject: true }),
    resource(v1.VolumeAttachment, {
      alsoAs: [
        legacy(v1beta1.VolumeAttachment, openStatus),
        legacy(v1alpha1.VolumeAttachment, { hasStatusEndpoint: false }),
      ],
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
