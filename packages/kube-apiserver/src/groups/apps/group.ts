import * as apps from '@coxswain/api/apps/v1/index.ts';
import { resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';
import { scaleOf } from '../scale/scale-rule.ts';
import { daemonSetStrategy } from './daemon-set-strategy.ts';

export const appsGroup: Group = {
  name: 'apps',
  versions: [served('v1')],
  resources: [
    resource(apps.ControllerRevision),
    resource(apps.DaemonSet, { ...daemonSetStrategy, status: true, generation: 'spec' }),
    resource(apps.Deployment, {
      status: { keepsMetadata: ['labels'] },
      generation: { onCreate: true, on: ['spec', 'metadata.annotations'] },
      scale: scaleOf.selector,
    }),
    resource(apps.ReplicaSet, { status: true, generation: 'spec', scale: scaleOf.selector }),
    resource(apps.StatefulSet, { status: true, generation: 'spec', scale: scaleOf.selector }),
  ],
};
