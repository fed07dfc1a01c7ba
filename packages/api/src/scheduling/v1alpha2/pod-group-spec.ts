import * as t from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { PodGroupResourceClaim } from './pod-group-resource-claim.ts';
import { PodGroupSchedulingConstraints } from './pod-group-scheduling-constraints.ts';
import { PodGroupSchedulingPolicy } from './pod-group-scheduling-policy.ts';

export const WorkloadPodGroupTemplateReference = t.struct(
  'scheduling/v1alpha2.WorkloadPodGroupTemplateReference',
  {
    workloadName: t.always(1, t.string, { required: true }),
    podGroupTemplateName: t.always(2, t.string, { required: true }),
  },
);
export interface WorkloadPodGroupTemplateReference extends t.Static<
  typeof WorkloadPodGroupTemplateReference
> {}

export const PodGroupTemplateReference = t.struct('scheduling/v1alpha2.PodGroupTemplateReference', {
  workload: t.nullable(1, WorkloadPodGroupTemplateReference),
});
export interface PodGroupTemplateReference extends t.Static<typeof PodGroupTemplateReference> {}

export const PodGroupSpec = t.struct('scheduling/v1alpha2.PodGroupSpec', {
  podGroupTemplateRef: t.nullable(1, PodGroupTemplateReference),
  schedulingPolicy: t.always(2, PodGroupSchedulingPolicy, { required: true }),
  schedulingConstraints: t.pointer(3, PodGroupSchedulingConstraints, {
    gate: 'TopologyAwareWorkloadScheduling',
  }),
  resourceClaims: t.optional(4, t.listMap(PodGroupResourceClaim, ['name']), {
    patch: 'merge,retainKeys',
    patchKey: 'name',
    gate: 'DRAWorkloadResourceClaims',
  }),
  disruptionMode: t.pointer(5, t.named('v1alpha2.DisruptionMode', t.string), {
    default: 'Pod',
    defaultPublished: true,
    gate: 'WorkloadAwarePreemption',
  }),
  priorityClassName: t.optional(6, t.string, { gate: 'WorkloadAwarePreemption' }),
  priority: t.pointer(7, t.int32, { gate: 'WorkloadAwarePreemption' }),
});
export interface PodGroupSpec extends t.Static<typeof PodGroupSpec> {}

export const PodGroupResourceClaimStatus = t.struct('scheduling/v1alpha2.PodGroupResourceClaimStatus', {
  name: t.always(1, t.string, { required: true }),
  resourceClaimName: t.pointer(2, t.string),
});
export interface PodGroupResourceClaimStatus extends t.Static<typeof PodGroupResourceClaimStatus> {}

export const PodGroupStatus = t.struct('scheduling/v1alpha2.PodGroupStatus', {
  conditions: t.optional(1, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
  resourceClaimStatuses: t.optional(2, t.listMap(PodGroupResourceClaimStatus, ['name']), {
    patch: 'merge,retainKeys',
    patchKey: 'name',
    gate: 'DRAWorkloadResourceClaims',
  }),
});
export interface PodGroupStatus extends t.Static<typeof PodGroupStatus> {}
