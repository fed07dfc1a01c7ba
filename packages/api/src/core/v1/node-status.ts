import {
  always,
  atomicList,
  bool,
  int32,
  int64,
  listMap,
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
import { NodeConfigSource } from './node-config-source.ts';

export const AttachedVolume = struct('core/v1.AttachedVolume', {
  name: always(1, named('v1.UniqueVolumeName', string), { required: true }),
  devicePath: always(2, string, { required: true }),
});
export interface AttachedVolume extends Static<typeof AttachedVolume> {}

export const ContainerImage = struct('core/v1.ContainerImage', {
  names: always(1, atomicList(string)),
  sizeBytes: optional(2, int64),
});
export interface ContainerImage extends Static<typeof ContainerImage> {}

export const DaemonEndpoint = struct('core/v1.DaemonEndpoint', {
  Port: always(1, int32, { required: true }),
});
export interface DaemonEndpoint extends Static<typeof DaemonEndpoint> {}

export const NodeAddress = struct('core/v1.NodeAddress', {
  type: always(1, named('v1.NodeAddressType', string), { required: true }),
  address: always(2, string, { required: true }),
});
export interface NodeAddress extends Static<typeof NodeAddress> {}

export const NodeCondition = struct('core/v1.NodeCondition', {
  type: always(1, named('v1.NodeConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastHeartbeatTime: optional(3, time),
  lastTransitionTime: optional(4, time),
  reason: optional(5, string),
  message: optional(6, string),
});
export interface NodeCondition extends Static<typeof NodeCondition> {}

export const NodeConfigStatus = struct('core/v1.NodeConfigStatus', {
  assigned: pointer(1, NodeConfigSource),
  active: pointer(2, NodeConfigSource),
  lastKnownGood: pointer(3, NodeConfigSource),
  error: optional(4, string),
});
export interface NodeConfigStatus extends Static<typeof NodeConfigStatus> {}

export const NodeDaemonEndpoints = struct('core/v1.NodeDaemonEndpoints', {
  kubeletEndpoint: optional(1, DaemonEndpoint),
});
export interface NodeDaemonEndpoints extends Static<typeof NodeDaemonEndpoints> {}

export const NodeFeatures = struct('core/v1.NodeFeatures', {
  supplementalGroupsPolicy: pointer(1, bool),
});
export interface NodeFeatures extends Static<typeof NodeFeatures> {}

export const NodeRuntimeHandlerFeatures = struct('core/v1.NodeRuntimeHandlerFeatures', {
  recursiveReadOnlyMounts: pointer(1, bool),
  userNamespaces: pointer(2, bool),
});
export interface NodeRuntimeHandlerFeatures extends Static<typeof NodeRuntimeHandlerFeatures> {}

export const NodeRuntimeHandler = struct('core/v1.NodeRuntimeHandler', {
  name: always(1, string),
  features: pointer(2, NodeRuntimeHandlerFeatures),
});
export interface NodeRuntimeHandler extends Static<typeof NodeRuntimeHandler> {}

export const NodeSwapStatus = struct('core/v1.NodeSwapStatus', {
  capacity: pointer(1, int64),
});
export interface NodeSwapStatus extends Static<typeof NodeSwapStatus> {}

export const NodeSystemInfo = struct('core/v1.NodeSystemInfo', {
  machineID: always(1, string, { required: true }),
  systemUUID: always(2, string, { required: true }),
  bootID: always(3, string, { required: true }),
  kernelVersion: always(4, string, { required: true }),
  osImage: always(5, string, { required: true, go: 'OSImage' }),
  containerRuntimeVersion: always(6, string, { required: true }),
  kubeletVersion: always(7, string, { required: true }),
  kubeProxyVersion: always(8, string, { required: true }),
  operatingSystem: always(9, string, { required: true }),
  architecture: always(10, string, { required: true }),
  swap: pointer(11, NodeSwapStatus),
});
export interface NodeSystemInfo extends Static<typeof NodeSystemInfo> {}

export const NodeStatus = struct('core/v1.NodeStatus', {
  capacity: optional(1, named('v1.ResourceList', map(quantity))),
  allocatable: optional(2, named('v1.ResourceList', map(quantity))),
  phase: optional(3, named('v1.NodePhase', oneOf(['Pending', 'Running', 'Terminated']))),
  conditions: optional(4, listMap(NodeCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  addresses: optional(5, listMap(NodeAddress, ['type']), { patch: 'merge', patchKey: 'type' }),
  daemonEndpoints: optional(6, NodeDaemonEndpoints),
  nodeInfo: optional(7, NodeSystemInfo),
  images: optional(8, atomicList(ContainerImage)),
  volumesInUse: optional(9, atomicList(named('v1.UniqueVolumeName', string))),
  volumesAttached: optional(10, atomicList(AttachedVolume)),
  config: pointer(11, NodeConfigStatus),
  runtimeHandlers: optional(12, atomicList(NodeRuntimeHandler)),
  features: pointer(13, NodeFeatures, { gate: 'SupplementalGroupsPolicy' }),
  declaredFeatures: optional(14, atomicList(string), { gate: 'NodeDeclaredFeatures' }),
});
export interface NodeStatus extends Static<typeof NodeStatus> {}
