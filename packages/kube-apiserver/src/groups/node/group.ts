import { RuntimeClass } from '@coxswain/api/node/v1/index.ts';
import { RuntimeClass as RuntimeClassV1alpha1 } from '@coxswain/api/node/v1alpha1.ts';
import { RuntimeClass as RuntimeClassV1beta1 } from '@coxswain/api/node/v1beta1.ts';
import { legacy, legacyVersion, resource, served, type Group } from '../resource.ts';
import { runtimeClassConversion } from './convert-runtime-class.ts';

export const nodeGroup: Group = {
  name: 'node.k8s.io',
  versions: [served('v1'), legacyVersion('v1beta1'), legacyVersion('v1alpha1')],
  resources: [
    resource(RuntimeClass, {
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
      alsoAs: [
        legacy(RuntimeClassV1beta1),
        legacy(RuntimeClassV1alpha1, { conversion: runtimeClassConversion }),
      ],
    }),
  ],
};
