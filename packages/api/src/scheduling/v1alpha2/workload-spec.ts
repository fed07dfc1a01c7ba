import * as t from '@coxswain/schema';
import { PodGroupResourceClaim } from './pod-group-resource-claim.ts';
import { PodGroupSchedulingConstraints } from './pod-group-scheduling-constraints.ts';
import { PodGroupSchedulingPolicy } from './pod-group-scheduling-policy.ts';

export const PodGroupTemplate = t.struct('scheduling/v1alpha2.PodGroupTemplate', {
  name: t.always(1, t.string, { required: true }),
  schedulingPolicy: t.always(2, PodGroupSchedulingPolicy, { required: true }),
  schedulingConstraints: t.nullable(3, PodGroupSchedulingConstraints, {
    gate: 'TopologyAwareWorkloadScheduling',
  }),
  resourceClaims: t.optional(4, t.listMap(PodGroupResourceClaim, ['name']), {
    patch: 'merge,retainKeys',
    patchKey: 'name',
    gate: 'DRAWorkloadResourceClaims',
  }),
  disruptionMode: t.pointer(5, t.named('v1alpha2.DisruptionMode', t.string), {
    gate: 'WorkloadAwarePreemption',
  }),
  priorityClassName: t.optional(6, t.string, { gate: 'WorkloadAwarePreemption' }),
  priority: t.pointer(7, t.int32, { gate: 'WorkloadAwarePreemption' }),
});
export interface PodGroupTemplate extends t.Static<typeof PodGroupTemplate> {}

export const TypedLocalObjectReference = t.struct('scheduling/v1alpha2.TypedLocalObjectReference', {
  apiGroup: t.optional(1, t.string, { go: 'APIGroup' }),
  kind: t.always(2, t.string, { required: true }),
  name: t.always(3, t.string, { required: true }),
});
export interface TypedLocalObjectReference extends t.Static<typeof TypedLocalObjectReference> {}

export const WorkloadSpec = t.struct('scheduling/v1alpha2.WorkloadSpec', {
  controllerRef: t.pointer(1, TypedLocalObjectReference),
  podGroupTemplates: t.always(2, t.listMap(PodGroupTemplate, ['name']), { required: true }),
});
export interface WorkloadSpec extends t.Static<typeof WorkloadSpec> {}
