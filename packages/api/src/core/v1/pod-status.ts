import * as t from '@coxswain/schema';
import { ContainerStatus } from './container-status.ts';
import { ResourceRequirements } from './resource-requirements.ts';

export const ContainerExtendedResourceRequest = t.struct('core/v1.ContainerExtendedResourceRequest', {
  containerName: t.always(1, t.string, { required: true }),
  resourceName: t.always(2, t.string, { required: true }),
  requestName: t.always(3, t.string, { required: true }),
});
export interface ContainerExtendedResourceRequest extends t.Static<typeof ContainerExtendedResourceRequest> {}

export const HostIP = t.struct('core/v1.HostIP', {
  ip: t.always(1, t.string, { required: true, go: 'IP' }),
});
export interface HostIP extends t.Static<typeof HostIP> {}

export const NodeAllocatableResourceClaimStatus = t.struct('core/v1.NodeAllocatableResourceClaimStatus', {
  resourceClaimName: t.always(1, t.string, { required: true }),
  containers: t.optional(2, t.listSet(t.string)),
  resources: t.always(3, t.named('map[v1.ResourceName]resource.Quantity', t.map(t.quantity)), {
    required: true,
  }),
});
export interface NodeAllocatableResourceClaimStatus extends t.Static<
  typeof NodeAllocatableResourceClaimStatus
> {}

export const PodCondition = t.struct('core/v1.PodCondition', {
  type: t.always(1, t.named('v1.PodConditionType', t.string), { required: true }),
  observedGeneration: t.optional(7, t.int64, { gate: 'PodObservedGenerationTracking' }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastProbeTime: t.optional(3, t.time),
  lastTransitionTime: t.optional(4, t.time),
  reason: t.optional(5, t.string),
  message: t.optional(6, t.string),
});
export interface PodCondition extends t.Static<typeof PodCondition> {}

export const PodExtendedResourceClaimStatus = t.struct('core/v1.PodExtendedResourceClaimStatus', {
  requestMappings: t.always(1, t.atomicList(ContainerExtendedResourceRequest), { required: true }),
  resourceClaimName: t.always(2, t.string, { required: true }),
});
export interface PodExtendedResourceClaimStatus extends t.Static<typeof PodExtendedResourceClaimStatus> {}

export const PodIP = t.struct('core/v1.PodIP', {
  ip: t.always(1, t.string, { required: true, go: 'IP' }),
});
export interface PodIP extends t.Static<typeof PodIP> {}

export const PodResourceClaimStatus = t.struct('core/v1.PodResourceClaimStatus', {
  name: t.always(1, t.string, { required: true }),
  resourceClaimName: t.pointer(2, t.string),
});
export interface PodResourceClaimStatus extends t.Static<typeof PodResourceClaimStatus> {}

export const PodStatus = t.struct('core/v1.PodStatus', {
  observedGeneration: t.optional(17, t.int64, { gate: 'PodObservedGenerationTracking' }),
  phase: t.optional(
    1,
    t.named('v1.PodPhase', t.oneOf(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'])),
  ),
  conditions: t.optional(2, t.listMap(PodCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  message: t.optional(3, t.string),
  reason: t.optional(4, t.string),
  nominatedNodeName: t.optional(11, t.string),
  hostIP: t.optional(5, t.string),
  hostIPs: t.optional(16, t.atomicList(HostIP), { patch: 'merge', patchKey: 'ip' }),
  podIP: t.optional(6, t.string),
  podIPs: t.optional(12, t.listMap(PodIP, ['ip']), { patch: 'merge', patchKey: 'ip' }),
  startTime: t.pointer(7, t.time),
  initContainerStatuses: t.optional(10, t.atomicList(ContainerStatus)),
  containerStatuses: t.optional(8, t.atomicList(ContainerStatus)),
  qosClass: t.optional(9, t.named('v1.PodQOSClass', t.oneOf(['Guaranteed', 'Burstable', 'BestEffort'])), {
    go: 'QOSClass',
  }),
  ephemeralContainerStatuses: t.optional(13, t.atomicList(ContainerStatus)),
  resize: t.optional(14, t.named('v1.PodResizeStatus', t.string), { gate: 'InPlacePodVerticalScaling' }),
  resourceClaimStatuses: t.optional(15, t.listMap(PodResourceClaimStatus, ['name']), {
    patch: 'merge,retainKeys',
    patchKey: 'name',
    gate: 'DynamicResourceAllocation',
  }),
  extendedResourceClaimStatus: t.pointer(18, PodExtendedResourceClaimStatus, { gate: 'DRAExtendedResource' }),
  allocatedResources: t.optional(19, t.named('v1.ResourceList', t.map(t.quantity)), {
    gate: 'InPlacePodLevelResourcesVerticalScaling',
  }),
  resources: t.pointer(20, ResourceRequirements, { gate: 'InPlacePodLevelResourcesVerticalScaling' }),
  nodeAllocatableResourceClaimStatuses: t.optional(21, t.atomicList(NodeAllocatableResourceClaimStatus), {
    gate: 'DRANodeAllocatableResources',
  }),
});
export interface PodStatus extends t.Static<typeof PodStatus> {}
