import {
  always,
  atomicList,
  bool,
  embedded,
  int32,
  listMap,
  listSet,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { EnvFromSource, EnvVar } from './env-var.ts';
import { Lifecycle, Probe } from './probe.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { SecurityContext } from './security-context.ts';
import { VolumeDevice, VolumeMount } from './volume-mount.ts';

export const ContainerPort = struct('core/v1.ContainerPort', {
  name: optional(1, string),
  hostPort: optional(2, int32),
  containerPort: always(3, int32, { required: true }),
  protocol: optional(4, named('v1.Protocol', oneOf(['TCP', 'UDP', 'SCTP'])), {
    default: 'TCP',
    defaultPublished: true,
  }),
  hostIP: optional(5, string),
});
export interface ContainerPort extends Static<typeof ContainerPort> {}

export const ContainerResizePolicy = struct('core/v1.ContainerResizePolicy', {
  resourceName: always(1, named('v1.ResourceName', string), { required: true }),
  restartPolicy: always(2, named('v1.ResourceResizeRestartPolicy', string), { required: true }),
});
export interface ContainerResizePolicy extends Static<typeof ContainerResizePolicy> {}

export const ContainerRestartRuleOnExitCodes = struct('core/v1.ContainerRestartRuleOnExitCodes', {
  operator: optional(1, named('v1.ContainerRestartRuleOnExitCodesOperator', string), { required: true }),
  values: optional(2, listSet(int32)),
});
export interface ContainerRestartRuleOnExitCodes extends Static<typeof ContainerRestartRuleOnExitCodes> {}

export const ContainerRestartRule = struct('core/v1.ContainerRestartRule', {
  action: optional(1, named('v1.ContainerRestartRuleAction', string), { required: true }),
  exitCodes: pointer(2, ContainerRestartRuleOnExitCodes),
});
export interface ContainerRestartRule extends Static<typeof ContainerRestartRule> {}

export const Container = struct('core/v1.Container', {
  name: always(1, string, { required: true }),
  image: optional(2, string),
  command: optional(3, atomicList(string)),
  args: optional(4, atomicList(string)),
  workingDir: optional(5, string),
  ports: optional(6, listMap(ContainerPort, ['containerPort', 'protocol']), {
    patch: 'merge',
    patchKey: 'containerPort',
  }),
  envFrom: optional(19, atomicList(EnvFromSource)),
  env: optional(7, listMap(EnvVar, ['name']), { patch: 'merge', patchKey: 'name' }),
  resources: optional(8, ResourceRequirements),
  resizePolicy: optional(23, atomicList(ContainerResizePolicy), { gate: 'InPlacePodVerticalScaling' }),
  restartPolicy: pointer(24, named('v1.ContainerRestartPolicy', string)),
  restartPolicyRules: optional(25, atomicList(ContainerRestartRule), { gate: 'ContainerRestartRules' }),
  volumeMounts: optional(9, listMap(VolumeMount, ['mountPath']), { patch: 'merge', patchKey: 'mountPath' }),
  volumeDevices: optional(21, listMap(VolumeDevice, ['devicePath']), {
    patch: 'merge',
    patchKey: 'devicePath',
  }),
  livenessProbe: pointer(10, Probe),
  readinessProbe: pointer(11, Probe),
  startupProbe: pointer(22, Probe),
  lifecycle: pointer(12, Lifecycle),
  terminationMessagePath: optional(13, string, { default: '/dev/termination-log' }),
  terminationMessagePolicy: optional(
    20,
    named('v1.TerminationMessagePolicy', oneOf(['File', 'FallbackToLogsOnError'])),
    { default: 'File' },
  ),
  imagePullPolicy: optional(14, named('v1.PullPolicy', oneOf(['Always', 'Never', 'IfNotPresent']))),
  securityContext: pointer(15, SecurityContext),
  stdin: optional(16, bool),
  stdinOnce: optional(17, bool),
  tty: optional(18, bool, { go: 'TTY' }),
});
export interface Container extends Static<typeof Container> {}

export const EphemeralContainerCommon = struct('core/v1.EphemeralContainerCommon', {
  name: always(1, string, { required: true }),
  image: optional(2, string),
  command: optional(3, atomicList(string)),
  args: optional(4, atomicList(string)),
  workingDir: optional(5, string),
  ports: optional(6, listMap(ContainerPort, ['containerPort', 'protocol']), {
    patch: 'merge',
    patchKey: 'containerPort',
  }),
  envFrom: optional(19, atomicList(EnvFromSource)),
  env: optional(7, listMap(EnvVar, ['name']), { patch: 'merge', patchKey: 'name' }),
  resources: optional(8, ResourceRequirements),
  resizePolicy: optional(23, atomicList(ContainerResizePolicy), { gate: 'InPlacePodVerticalScaling' }),
  restartPolicy: pointer(24, named('v1.ContainerRestartPolicy', string)),
  restartPolicyRules: optional(25, atomicList(ContainerRestartRule), { gate: 'ContainerRestartRules' }),
  volumeMounts: optional(9, listMap(VolumeMount, ['mountPath']), { patch: 'merge', patchKey: 'mountPath' }),
  volumeDevices: optional(21, listMap(VolumeDevice, ['devicePath']), {
    patch: 'merge',
    patchKey: 'devicePath',
  }),
  livenessProbe: pointer(10, Probe),
  readinessProbe: pointer(11, Probe),
  startupProbe: pointer(22, Probe),
  lifecycle: pointer(12, Lifecycle),
  terminationMessagePath: optional(13, string, { default: '/dev/termination-log' }),
  terminationMessagePolicy: optional(
    20,
    named('v1.TerminationMessagePolicy', oneOf(['File', 'FallbackToLogsOnError'])),
    { default: 'File' },
  ),
  imagePullPolicy: optional(14, named('v1.PullPolicy', oneOf(['Always', 'Never', 'IfNotPresent']))),
  securityContext: pointer(15, SecurityContext),
  stdin: optional(16, bool),
  stdinOnce: optional(17, bool),
  tty: optional(18, bool, { go: 'TTY' }),
});
export interface EphemeralContainerCommon extends Static<typeof EphemeralContainerCommon> {}

export const EphemeralContainer = struct('core/v1.EphemeralContainer', {
  ephemeralContainerCommon: embedded(1, EphemeralContainerCommon),
  targetContainerName: optional(2, string),
});
export interface EphemeralContainer extends Static<typeof EphemeralContainer> {}
