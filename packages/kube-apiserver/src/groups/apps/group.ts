import * as apps from '@coxswain/api/apps/v1/index.ts';
import { resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';
import { scaleOf } from '../scale/scale-rule.ts';
import { daemonSetStrategy } from './daemon-set-strategy.ts';

const gatedMembers = ['spec'];

export const appsGroup: Group = {
  name: 'apps',
  versions: [served('v1')],
  resources: [
    resource(apps.ControllerRevision),
    resource(apps.DaemonSet, { ...daemonSetStrategy, status: true, generation: 'spec', gatedMembers }),
    resource(apps.Deployment, {
      status: { keepsMetadata: ['labels'] },
      generation: { onCreate: true, on: ['spec', 'metadata.annotations'] },
      scale: scaleOf.selector,
      gatedMembers,
    }),
    resource(apps.ReplicaSet, { status: true, generation: 'spec', scale: scaleOf.selector, gatedMembers }),
    resource(apps.StatefulSet, { status: true, generation: 'spec', scale: scaleOf.selector, gatedMembers }),
  ],
};
