import * as apps from '@coxswain/api/apps/v1/index.ts';
import { legacyVersion, resource, served, type Group } from '../resource.ts';
import { scaleOf } from '../scale/scale-rule.ts';
import { daemonSetStatusEndpoint, daemonSetStrategy } from './daemon-set-strategy.ts';
import {
  controllerRevisionVersions,
  daemonSetVersions,
  deploymentVersions,
  replicaSetVersions,
  statefulSetVersions,
} from './legacy-versions.ts';

const gatedMembers = ['spec', 'status'];

export const appsGroup: Group = {
  name: 'apps',
  versions: [served('v1'), legacyVersion('v1beta2'), legacyVersion('v1beta1')],
  resources: [
    resource(apps.ControllerRevision, { alsoAs: controllerRevisionVersions }),
    resource(apps.DaemonSet, {
      alsoAs: daemonSetVersions,
      ...daemonSetStrategy,
      status: daemonSetStatusEndpoint,
      generation: 'spec',
      gatedMembers,
    }),
    resource(apps.Deployment, {
      alsoAs: deploymentVersions,
      status: { keepsMetadata: ['labels'] },
      generation: { onCreate: true, on: ['spec', 'metadata.annotations'] },
      scale: scaleOf.selector,
      gatedMembers,
    }),
    resource(apps.ReplicaSet, {
      alsoAs: replicaSetVersions,
      status: true,
      generation: 'spec',
      scale: scaleOf.selector,
      gatedMembers,
    }),
    resource(apps.StatefulSet, {
      alsoAs: statefulSetVersions,
      status: true,
      generation: 'spec',
      scale: scaleOf.selector,
      gatedMembers,
    }),
  ],
};
