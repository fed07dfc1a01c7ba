import { PriorityClass } from '@coxswain/api/scheduling/v1/index.ts';
import { PodGroup, Workload } from '@coxswain/api/scheduling/v1alpha2/index.ts';
import type { PodGroup as PodGroupObject } from '@coxswain/api/scheduling/v1alpha2/pod-group.ts';
import { PriorityClass as PriorityClassV1beta1 } from '@coxswain/api/scheduling/v1beta1.ts';
import { priorityClassObjects } from './priority-classes.ts';
import { legacy, legacyVersion, onRequest, resource, served, type Group } from '../resource.ts';
import { as } from '../any-object.ts';

export const schedulingGroup: Group = {
  name: 'scheduling.k8s.io',
  versions: [served('v1'), legacyVersion('v1beta1'), onRequest('v1alpha2')],
  resources: [
    resource(PriorityClass, {
      alsoAs: [legacy(PriorityClassV1beta1)],
      generation: { onCreate: true, on: [] },
      undeletable: {
        names: priorityClassObjects().map(({ object }) => object.metadata.name),
        reason: 'this is a system priority class and cannot be deleted',
      },
    }),
    resource(PodGroup, {
      gate: 'GenericWorkload',
      gatedMembers: ['spec', 'status'],
      status: { keepsMetadata: 'all' },
      // Dropped while its feature is disabled, and restored by defaulting when it is read.
      canonicalize: (object) => void (as<PodGroupObject>(object).spec.disruptionMode ??= 'Pod'),
    }),
    resource(Workload, { gate: 'GenericWorkload', gatedMembers: ['spec'] }),
  ],
};
