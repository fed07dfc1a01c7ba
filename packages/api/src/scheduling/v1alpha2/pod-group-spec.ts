import { always, int32, listMap, nullable, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { PodGroupResourceClaim } from './pod-group-resource-claim.ts';
import { PodGroupSchedulingConstraints } from './pod-group-scheduling-constraints.ts';
import { PodGroupSchedulingPolicy } from './pod-group-scheduling-policy.ts';

export const WorkloadPodGroupTemplateReference = struct(
  'scheduling/v1alpha2.WorkloadPodGroupTemplateReference',
  {
    workloadName: always(1, string, { required: true }),
    podGroupTemplateName: always(2, string, { required: true }),
  },
);
export interface WorkloadPodGroupTemplateReference extends Static<typeof WorkloadPodGroupTemplateReference> {}

export const PodGroupTemplateReference = struct('scheduling/v1alpha2.PodGroupTemplateReference', {
  workload: nullable(1, WorkloadPodGroupTemplateReference),
});
export interface PodGroupTemplateReference extends Static<typeof PodGroupTemplateReference> {}

export const PodGroupSpec = struct('scheduling/v1alpha2.PodGroupSpec', {
  podGroupTemplateRef: nullable(1, PodGroupTemplateReference),
  schedulingPolicy: always(2, PodGroupSchedulingPolicy, { required: true }),
  schedulingConstraints: pointer(3, PodGroupSchedulingConstraints, {
    gate: 'TopologyAwareWorkloadScheduling',
  }),
  resourceClaims: optional(4, listMap(PodGroupResourceClaim, ['name']), {
    patch: 'merge,retainKeys',
    patchKey: 'name',
    gate: 'DRAWorkloadResourceClaims',
  }),
  disruptionMode: pointer(5, named('v1alpha2.DisruptionMode', string), {
    default: 'Pod',
    defaultPublished: true,
    gate: 'WorkloadAwarePreemption',
  }),
  priorityClassName: optional(6, string, { gate: 'WorkloadAwarePreemption' }),
  priority: pointer(7, int32, { gate: 'WorkloadAwarePreemption' }),
});
export interface PodGroupSpec extends Static<typeof PodGroupSpec> {}

export const PodGroupResourceClaimStatus = struct('scheduling/v1alpha2.PodGroupResourceClaimStatus', {
  name: always(1, string, { required: true }),
  resourceClaimName: pointer(2, string),
});
export interface PodGroupResourceClaimStatus extends Static<typeof PodGroupResourceClaimStatus> {}

export const PodGroupStatus = struct('scheduling/v1alpha2.PodGroupStatus', {
  conditions: optional(1, listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
  resourceClaimStatuses: optional(2, listMap(PodGroupResourceClaimStatus, ['name']), {
    patch: 'merge,retainKeys',
    patchKey: 'name',
    gate: 'DRAWorkloadResourceClaims',
  }),
});
export interface PodGroupStatus extends Static<typeof PodGroupStatus> {}
