import { PodDisruptionBudget } from '@coxswain/api/policy/v1/index.ts';
import { resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';

export const policyGroup: Group = {
  name: 'policy',
  versions: [served('v1')],
  resources: [
    resource(PodDisruptionBudget, { status: true, generation: 'spec', allowUnconditionalUpdate: false }),
  ],
};
