import { FlowSchema, PriorityLevelConfiguration } from '@coxswain/api/flowcontrol/v1/index.ts';
import { resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';

const status = { keepsMetadata: 'all' } as const;

export const flowcontrolGroup: Group = {
  name: 'flowcontrol.apiserver.k8s.io',
  versions: [served('v1')],
  resources: [
    resource(FlowSchema, { status, generation: 'spec' }),
    resource(PriorityLevelConfiguration, { status, generation: 'spec' }),
  ],
};
