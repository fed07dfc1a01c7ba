import { always, int32, listMap, nullable, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PodGroupResourceClaim } from './pod-group-resource-claim.ts';
import { PodGroupSchedulingConstraints } from './pod-group-scheduling-constraints.ts';
import { PodGroupSchedulingPolicy } from './pod-group-scheduling-policy.ts';

export const PodGroupTemplate = struct('scheduling/v1alpha2.PodGroupTemplate', {
  name: always(1, string, { required: true }),
  schedulingPolicy: always(2, PodGroupSchedulingPolicy, { required: true }),
  schedulingConstraints: nullable(3, PodGroupSchedulingConstraints, {
    gate: 'TopologyAwareWorkloadScheduling',
  }),
  resourceClaims: optional(4, listMap(PodGroupResourceClaim, ['name']), {
    patch: 'merge,retainKeys',
    patchKey: 'name',
    gate: 'DRAWorkloadResourceClaims',
  }),
  disruptionMode: pointer(5, named('v1alpha2.DisruptionMode', string), { gate: 'WorkloadAwarePreemption' }),
  priorityClassName: optional(6, string, { gate: 'WorkloadAwarePreemption' }),
  priority: pointer(7, int32, { gate: 'WorkloadAwarePreemption' }),
});
export interface PodGroupTemplate extends Static<typeof PodGroupTemplate> {}

export const TypedLocalObjectReference = struct('scheduling/v1alpha2.TypedLocalObjectReference', {
  apiGroup: optional(1, string, { go: 'APIGroup' }),
  kind: always(2, string, { required: true }),
  name: always(3, string, { required: true }),
});
export interface TypedLocalObjectReference extends Static<typeof TypedLocalObjectReference> {}

export const WorkloadSpec = struct('scheduling/v1alpha2.WorkloadSpec', {
  controllerRef: pointer(1, TypedLocalObjectReference),
  podGroupTemplates: always(2, listMap(PodGroupTemplate, ['name']), { required: true }),
});
export interface WorkloadSpec extends Static<typeof WorkloadSpec> {}
