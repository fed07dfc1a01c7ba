import { RuntimeClass } from '@coxswain/api/node/v1/index.ts';
import { resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';

export const nodeGroup: Group = {
  name: 'node.k8s.io',
  versions: [served('v1')],
  resources: [resource(RuntimeClass, { allowCreateOnUpdate: true, allowUnconditionalUpdate: false })],
};
