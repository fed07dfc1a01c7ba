import {
  always,
  atomicList,
  int64,
  listMap,
  listSet,
  map,
  oneOf,
  optional,
  pointer,
  quantity,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ContainerStatus } from './container-status.ts';
import { ResourceRequirements } from './resource-requirements.ts';

export const ContainerExtendedResourceRequest = struct('core/v1.ContainerExtendedResourceRequest', {
  containerName: always(1, string, { required: true }),
  resourceName: always(2, string, { required: true }),
  requestName: always(3, string, { required: true }),
});
export interface ContainerExtendedResourceRequest extends Static<typeof ContainerExtendedResourceRequest> {}

export const HostIP = struct('core/v1.HostIP', {
  ip: always(1, string, { required: true, go: 'IP' }),
});
export interface HostIP extends Static<typeof HostIP> {}

export const NodeAllocatableResourceClaimStatus = struct('core/v1.NodeAllocatableResourceClaimStatus', {
  resourceClaimName: always(1, string, { required: true }),
  containers: optional(2, listSet(string)),
  resources: always(3, named('map[v1.ResourceName]resource.Quantity', map(quantity)), { required: true }),
});
export interface NodeAllocatableResourceClaimStatus extends Static<
  typeof NodeAllocatableResourceClaimStatus
> {}

export const PodCondition = struct('core/v1.PodCondition', {
  type: always(1, named('v1.PodConditionType', string), { required: true }),
  observedGeneration: optional(7, int64),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastProbeTime: optional(3, time),
  lastTransitionTime: optional(4, time),
  reason: optional(5, string),
  message: optional(6, string),
});
export interface PodCondition extends Static<typeof PodCondition> {}

export const PodExtendedResourceClaimStatus = struct('core/v1.PodExtendedResourceClaimStatus', {
  requestMappings: always(1, atomicList(ContainerExtendedResourceRequest), { required: true }),
  resourceClaimName: always(2, string, { required: true }),
});
export interface PodExtendedResourceClaimStatus extends Static<typeof PodExtendedResourceClaimStatus> {}

export const PodIP = struct('core/v1.PodIP', {
  ip: always(1, string, { required: true, go: 'IP' }),
});
export interface PodIP extends Static<typeof PodIP> {}

export const PodResourceClaimStatus = struct('core/v1.PodResourceClaimStatus', {
  name: always(1, string, { required: true }),
  resourceClaimName: pointer(2, string),
});
export interface PodResourceClaimStatus extends Static<typeof PodResourceClaimStatus> {}

export const PodStatus = struct('core/v1.PodStatus', {
  observedGeneration: optional(17, int64),
  phase: optional(1, named('v1.PodPhase', oneOf(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']))),
  conditions: optional(2, listMap(PodCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  message: optional(3, string),
  reason: optional(4, string),
  nominatedNodeName: optional(11, string),
  hostIP: optional(5, string),
  hostIPs: optional(16, atomicList(HostIP), { patch: 'merge', patchKey: 'ip' }),
  podIP: optional(6, string),
  podIPs: optional(12, listMap(PodIP, ['ip']), { patch: 'merge', patchKey: 'ip' }),
  startTime: pointer(7, time),
  initContainerStatuses: optional(10, atomicList(ContainerStatus)),
  containerStatuses: optional(8, atomicList(ContainerStatus)),
  qosClass: optional(9, named('v1.PodQOSClass', oneOf(['Guaranteed', 'Burstable', 'BestEffort'])), {
    go: 'QOSClass',
  }),
  ephemeralContainerStatuses: optional(13, atomicList(ContainerStatus)),
  resize: optional(14, named('v1.PodResizeStatus', string), { gate: 'InPlacePodVerticalScaling' }),
  resourceClaimStatuses: optional(15, listMap(PodResourceClaimStatus, ['name']), {
    patch: 'merge,retainKeys',
    patchKey: 'name',
    gate: 'DynamicResourceAllocation',
  }),
  extendedResourceClaimStatus: pointer(18, PodExtendedResourceClaimStatus, { gate: 'DRAExtendedResource' }),
  allocatedResources: optional(19, named('v1.ResourceList', map(quantity)), {
    gate: 'InPlacePodLevelResourcesVerticalScaling',
  }),
  resources: pointer(20, ResourceRequirements, { gate: 'InPlacePodLevelResourcesVerticalScaling' }),
  nodeAllocatableResourceClaimStatuses: optional(21, atomicList(NodeAllocatableResourceClaimStatus), {
    gate: 'DRANodeAllocatableResources',
  }),
});
export interface PodStatus extends Static<typeof PodStatus> {}
