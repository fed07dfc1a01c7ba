import * as t from '@coxswain/schema';
import { NodeConfigSource } from './node-config-source.ts';

export const AttachedVolume = t.struct('core/v1.AttachedVolume', {
  name: t.always(1, t.named('v1.UniqueVolumeName', t.string), { required: true }),
  devicePath: t.always(2, t.string, { required: true }),
});
export interface AttachedVolume extends t.Static<typeof AttachedVolume> {}

export const ContainerImage = t.struct('core/v1.ContainerImage', {
  names: t.always(1, t.atomicList(t.string)),
  sizeBytes: t.optional(2, t.int64),
});
export interface ContainerImage extends t.Static<typeof ContainerImage> {}

export const DaemonEndpoint = t.struct('core/v1.DaemonEndpoint', {
  Port: t.always(1, t.int32, { required: true }),
});
export interface DaemonEndpoint extends t.Static<typeof DaemonEndpoint> {}

export const NodeAddress = t.struct('core/v1.NodeAddress', {
  type: t.always(1, t.named('v1.NodeAddressType', t.string), { required: true }),
  address: t.always(2, t.string, { required: true }),
});
export interface NodeAddress extends t.Static<typeof NodeAddress> {}

export const NodeCondition = t.struct('core/v1.NodeCondition', {
  type: t.always(1, t.named('v1.NodeConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastHeartbeatTime: t.optional(3, t.time),
  lastTransitionTime: t.optional(4, t.time),
  reason: t.optional(5, t.string),
  message: t.optional(6, t.string),
});
export interface NodeCondition extends t.Static<typeof NodeCondition> {}

export const NodeConfigStatus = t.struct('core/v1.NodeConfigStatus', {
  assigned: t.pointer(1, NodeConfigSource),
  active: t.pointer(2, NodeConfigSource),
  lastKnownGood: t.pointer(3, NodeConfigSource),
  error: t.optional(4, t.string),
});
export interface NodeConfigStatus extends t.Static<typeof NodeConfigStatus> {}

export const NodeDaemonEndpoints = t.struct('core/v1.NodeDaemonEndpoints', {
  kubeletEndpoint: t.optional(1, DaemonEndpoint),
});
export interface NodeDaemonEndpoints extends t.Static<typeof NodeDaemonEndpoints> {}

export const NodeFeatures = t.struct('core/v1.NodeFeatures', {
  supplementalGroupsPolicy: t.pointer(1, t.bool),
});
export interface NodeFeatures extends t.Static<typeof NodeFeatures> {}

export const NodeRuntimeHandlerFeatures = t.struct('core/v1.NodeRuntimeHandlerFeatures', {
  recursiveReadOnlyMounts: t.pointer(1, t.bool),
  userNamespaces: t.pointer(2, t.bool),
});
export interface NodeRuntimeHandlerFeatures extends t.Static<typeof NodeRuntimeHandlerFeatures> {}

export const NodeRuntimeHandler = t.struct('core/v1.NodeRuntimeHandler', {
  name: t.always(1, t.string),
  features: t.pointer(2, NodeRuntimeHandlerFeatures),
});
export interface NodeRuntimeHandler extends t.Static<typeof NodeRuntimeHandler> {}

export const NodeSwapStatus = t.struct('core/v1.NodeSwapStatus', {
  capacity: t.pointer(1, t.int64),
});
export interface NodeSwapStatus extends t.Static<typeof NodeSwapStatus> {}

export const NodeSystemInfo = t.struct('core/v1.NodeSystemInfo', {
  machineID: t.always(1, t.string, { required: true }),
  systemUUID: t.always(2, t.string, { required: true }),
  bootID: t.always(3, t.string, { required: true }),
  kernelVersion: t.always(4, t.string, { required: true }),
  osImage: t.always(5, t.string, { required: true, go: 'OSImage' }),
  containerRuntimeVersion: t.always(6, t.string, { required: true }),
  kubeletVersion: t.always(7, t.string, { required: true }),
  kubeProxyVersion: t.always(8, t.string, { required: true }),
  operatingSystem: t.always(9, t.string, { required: true }),
  architecture: t.always(10, t.string, { required: true }),
  swap: t.pointer(11, NodeSwapStatus),
});
export interface NodeSystemInfo extends t.Static<typeof NodeSystemInfo> {}

export const NodeStatus = t.struct('core/v1.NodeStatus', {
  capacity: t.optional(1, t.named('v1.ResourceList', t.map(t.quantity))),
  allocatable: t.optional(2, t.named('v1.ResourceList', t.map(t.quantity))),
  phase: t.optional(3, t.named('v1.NodePhase', t.oneOf(['Pending', 'Running', 'Terminated']))),
  conditions: t.optional(4, t.listMap(NodeCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  addresses: t.optional(5, t.listMap(NodeAddress, ['type']), { patch: 'merge', patchKey: 'type' }),
  daemonEndpoints: t.optional(6, NodeDaemonEndpoints),
  nodeInfo: t.optional(7, NodeSystemInfo),
  images: t.optional(8, t.atomicList(ContainerImage)),
  volumesInUse: t.optional(9, t.atomicList(t.named('v1.UniqueVolumeName', t.string))),
  volumesAttached: t.optional(10, t.atomicList(AttachedVolume)),
  config: t.pointer(11, NodeConfigStatus),
  runtimeHandlers: t.optional(12, t.atomicList(NodeRuntimeHandler)),
  features: t.pointer(13, NodeFeatures, { gate: 'SupplementalGroupsPolicy' }),
  declaredFeatures: t.optional(14, t.atomicList(t.string), { gate: 'NodeDeclaredFeatures' }),
});
export interface NodeStatus extends t.Static<typeof NodeStatus> {}
