import {
  always,
  atomicList,
  bool,
  int32,
  int64,
  listMap,
  map,
  optional,
  pointer,
  quantity,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ResourceRequirements } from './resource-requirements.ts';
import { Signal } from './signal.ts';

export const ContainerStateWaiting = struct('core/v1.ContainerStateWaiting', {
  reason: optional(1, string),
  message: optional(2, string),
});
export interface ContainerStateWaiting extends Static<typeof ContainerStateWaiting> {}

export const ContainerStateRunning = struct('core/v1.ContainerStateRunning', {
  startedAt: optional(1, time),
});
export interface ContainerStateRunning extends Static<typeof ContainerStateRunning> {}

export const ContainerStateTerminated = struct('core/v1.ContainerStateTerminated', {
  exitCode: always(1, int32, { required: true }),
  signal: optional(2, int32),
  reason: optional(3, string),
  message: optional(4, string),
  startedAt: optional(5, time),
  finishedAt: optional(6, time),
  containerID: optional(7, string),
});
export interface ContainerStateTerminated extends Static<typeof ContainerStateTerminated> {}

export const ContainerState = struct('core/v1.ContainerState', {
  waiting: pointer(1, ContainerStateWaiting),
  running: pointer(2, ContainerStateRunning),
  terminated: pointer(3, ContainerStateTerminated),
});
export interface ContainerState extends Static<typeof ContainerState> {}

export const ImageVolumeStatus = struct('core/v1.ImageVolumeStatus', {
  imageRef: optional(1, string, { required: true }),
});
export interface ImageVolumeStatus extends Static<typeof ImageVolumeStatus> {}

export const VolumeStatus = struct('core/v1.VolumeStatus', {
  image: pointer(1, ImageVolumeStatus),
});
export interface VolumeStatus extends Static<typeof VolumeStatus> {}

export const VolumeMountStatus = struct('core/v1.VolumeMountStatus', {
  name: always(1, string, { required: true }),
  mountPath: always(2, string, { required: true }),
  readOnly: optional(3, bool),
  recursiveReadOnly: pointer(4, named('v1.RecursiveReadOnlyMode', string)),
  volumeStatus: pointer(5, VolumeStatus, { gate: 'ImageVolumeWithDigest' }),
});
export interface VolumeMountStatus extends Static<typeof VolumeMountStatus> {}

export const LinuxContainerUser = struct('core/v1.LinuxContainerUser', {
  uid: always(1, int64, { required: true, go: 'UID' }),
  gid: always(2, int64, { required: true, go: 'GID' }),
  supplementalGroups: optional(3, atomicList(int64)),
});
export interface LinuxContainerUser extends Static<typeof LinuxContainerUser> {}

export const ContainerUser = struct('core/v1.ContainerUser', {
  linux: pointer(1, LinuxContainerUser),
});
export interface ContainerUser extends Static<typeof ContainerUser> {}

export const ResourceHealth = struct('core/v1.ResourceHealth', {
  resourceID: always(1, named('v1.ResourceID', string), { required: true }),
  health: optional(2, named('v1.ResourceHealthStatus', string)),
  message: pointer(6, string, { gate: 'ResourceHealthStatusMessage' }),
});
export interface ResourceHealth extends Static<typeof ResourceHealth> {}

export const ResourceStatus = struct('core/v1.ResourceStatus', {
  name: always(1, named('v1.ResourceName', string), { required: true }),
  resources: optional(2, listMap(ResourceHealth, ['resourceID'])),
});
export interface ResourceStatus extends Static<typeof ResourceStatus> {}

export const ContainerStatus = struct('core/v1.ContainerStatus', {
  name: always(1, string, { required: true }),
  state: optional(2, ContainerState),
  lastState: optional(3, ContainerState, { go: 'LastTerminationState' }),
  ready: always(4, bool, { required: true }),
  restartCount: always(5, int32, { required: true }),
  image: always(6, string, { required: true }),
  imageID: always(7, string, { required: true }),
  containerID: optional(8, string),
  started: pointer(9, bool),
  allocatedResources: optional(10, named('v1.ResourceList', map(quantity))),
  resources: pointer(11, ResourceRequirements, { gate: 'InPlacePodVerticalScaling' }),
  volumeMounts: optional(12, listMap(VolumeMountStatus, ['mountPath']), {
    patch: 'merge',
    patchKey: 'mountPath',
  }),
  user: pointer(13, ContainerUser, { gate: 'SupplementalGroupsPolicy' }),
  allocatedResourcesStatus: optional(14, listMap(ResourceStatus, ['name']), {
    patch: 'merge',
    patchKey: 'name',
    gate: 'ResourceHealthStatus',
  }),
  stopSignal: pointer(15, Signal),
});
export interface ContainerStatus extends Static<typeof ContainerStatus> {}
