import * as t from '@coxswain/schema';
import { ResourceRequirements } from './resource-requirements.ts';
import { Signal } from './signal.ts';

export const ContainerStateWaiting = t.struct('core/v1.ContainerStateWaiting', {
  reason: t.optional(1, t.string),
  message: t.optional(2, t.string),
});
export interface ContainerStateWaiting extends t.Static<typeof ContainerStateWaiting> {}

export const ContainerStateRunning = t.struct('core/v1.ContainerStateRunning', {
  startedAt: t.optional(1, t.time),
});
export interface ContainerStateRunning extends t.Static<typeof ContainerStateRunning> {}

export const ContainerStateTerminated = t.struct('core/v1.ContainerStateTerminated', {
  exitCode: t.always(1, t.int32, { required: true }),
  signal: t.optional(2, t.int32),
  reason: t.optional(3, t.string),
  message: t.optional(4, t.string),
  startedAt: t.optional(5, t.time),
  finishedAt: t.optional(6, t.time),
  containerID: t.optional(7, t.string),
});
export interface ContainerStateTerminated extends t.Static<typeof ContainerStateTerminated> {}

export const ContainerState = t.struct('core/v1.ContainerState', {
  waiting: t.pointer(1, ContainerStateWaiting),
  running: t.pointer(2, ContainerStateRunning),
  terminated: t.pointer(3, ContainerStateTerminated),
});
export interface ContainerState extends t.Static<typeof ContainerState> {}

export const ImageVolumeStatus = t.struct('core/v1.ImageVolumeStatus', {
  imageRef: t.optional(1, t.string, { required: true }),
});
export interface ImageVolumeStatus extends t.Static<typeof ImageVolumeStatus> {}

export const VolumeStatus = t.struct('core/v1.VolumeStatus', {
  image: t.pointer(1, ImageVolumeStatus),
});
export interface VolumeStatus extends t.Static<typeof VolumeStatus> {}

export const VolumeMountStatus = t.struct('core/v1.VolumeMountStatus', {
  name: t.always(1, t.string, { required: true }),
  mountPath: t.always(2, t.string, { required: true }),
  readOnly: t.optional(3, t.bool),
  recursiveReadOnly: t.pointer(4, t.named('v1.RecursiveReadOnlyMode', t.string)),
  volumeStatus: t.pointer(5, VolumeStatus, { gate: 'ImageVolumeWithDigest' }),
});
export interface VolumeMountStatus extends t.Static<typeof VolumeMountStatus> {}

export const LinuxContainerUser = t.struct('core/v1.LinuxContainerUser', {
  uid: t.always(1, t.int64, { required: true, go: 'UID' }),
  gid: t.always(2, t.int64, { required: true, go: 'GID' }),
  supplementalGroups: t.optional(3, t.atomicList(t.int64)),
});
export interface LinuxContainerUser extends t.Static<typeof LinuxContainerUser> {}

export const ContainerUser = t.struct('core/v1.ContainerUser', {
  linux: t.pointer(1, LinuxContainerUser),
});
export interface ContainerUser extends t.Static<typeof ContainerUser> {}

export const ResourceHealth = t.struct('core/v1.ResourceHealth', {
  resourceID: t.always(1, t.named('v1.ResourceID', t.string), { required: true }),
  health: t.optional(2, t.named('v1.ResourceHealthStatus', t.string)),
  message: t.pointer(6, t.string, { gate: 'ResourceHealthStatusMessage' }),
});
export interface ResourceHealth extends t.Static<typeof ResourceHealth> {}

export const ResourceStatus = t.struct('core/v1.ResourceStatus', {
  name: t.always(1, t.named('v1.ResourceName', t.string), { required: true }),
  resources: t.optional(2, t.listMap(ResourceHealth, ['resourceID'])),
});
export interface ResourceStatus extends t.Static<typeof ResourceStatus> {}

export const ContainerStatus = t.struct('core/v1.ContainerStatus', {
  name: t.always(1, t.string, { required: true }),
  state: t.optional(2, ContainerState),
  lastState: t.optional(3, ContainerState, { go: 'LastTerminationState' }),
  ready: t.always(4, t.bool, { required: true }),
  restartCount: t.always(5, t.int32, { required: true }),
  image: t.always(6, t.string, { required: true }),
  imageID: t.always(7, t.string, { required: true }),
  containerID: t.optional(8, t.string),
  started: t.pointer(9, t.bool),
  allocatedResources: t.optional(10, t.named('v1.ResourceList', t.map(t.quantity))),
  resources: t.pointer(11, ResourceRequirements, { gate: 'InPlacePodVerticalScaling' }),
  volumeMounts: t.optional(12, t.listMap(VolumeMountStatus, ['mountPath']), {
    patch: 'merge',
    patchKey: 'mountPath',
  }),
  user: t.pointer(13, ContainerUser, { gate: 'SupplementalGroupsPolicy' }),
  allocatedResourcesStatus: t.optional(14, t.listMap(ResourceStatus, ['name']), {
    patch: 'merge',
    patchKey: 'name',
    gate: 'ResourceHealthStatus',
  }),
  stopSignal: t.pointer(15, Signal),
});
export interface ContainerStatus extends t.Static<typeof ContainerStatus> {}
