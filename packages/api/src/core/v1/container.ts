import * as t from '@coxswain/schema';
import { EnvFromSource, EnvVar } from './env-var.ts';
import { Lifecycle, Probe } from './probe.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { SecurityContext } from './security-context.ts';
import { VolumeDevice, VolumeMount } from './volume-mount.ts';

export const ContainerPort = t.struct('core/v1.ContainerPort', {
  name: t.optional(1, t.string),
  hostPort: t.optional(2, t.int32),
  containerPort: t.always(3, t.int32, { required: true }),
  protocol: t.optional(4, t.named('v1.Protocol', t.oneOf(['TCP', 'UDP', 'SCTP'])), {
    default: 'TCP',
    defaultPublished: true,
  }),
  hostIP: t.optional(5, t.string),
});
export interface ContainerPort extends t.Static<typeof ContainerPort> {}

export const ContainerResizePolicy = t.struct('core/v1.ContainerResizePolicy', {
  resourceName: t.always(1, t.named('v1.ResourceName', t.string), { required: true }),
  restartPolicy: t.always(2, t.named('v1.ResourceResizeRestartPolicy', t.string), { required: true }),
});
export interface ContainerResizePolicy extends t.Static<typeof ContainerResizePolicy> {}

export const ContainerRestartRuleOnExitCodes = t.struct('core/v1.ContainerRestartRuleOnExitCodes', {
  operator: t.optional(1, t.named('v1.ContainerRestartRuleOnExitCodesOperator', t.string), {
    required: true,
  }),
  values: t.optional(2, t.listSet(t.int32)),
});
export interface ContainerRestartRuleOnExitCodes extends t.Static<typeof ContainerRestartRuleOnExitCodes> {}

export const ContainerRestartRule = t.struct('core/v1.ContainerRestartRule', {
  action: t.optional(1, t.named('v1.ContainerRestartRuleAction', t.string), { required: true }),
  exitCodes: t.pointer(2, ContainerRestartRuleOnExitCodes),
});
export interface ContainerRestartRule extends t.Static<typeof ContainerRestartRule> {}

/** Common to all kinds of containers. */
const fields = {
  name: t.always(1, t.string, { required: true }),
  image: t.optional(2, t.string),
  command: t.optional(3, t.atomicList(t.string)),
  args: t.optional(4, t.atomicList(t.string)),
  workingDir: t.optional(5, t.string),
  ports: t.optional(6, t.listMap(ContainerPort, ['containerPort', 'protocol']), {
    patch: 'merge',
    patchKey: 'containerPort',
  }),
  envFrom: t.optional(19, t.atomicList(EnvFromSource)),
  env: t.optional(7, t.listMap(EnvVar, ['name']), { patch: 'merge', patchKey: 'name' }),
  resources: t.optional(8, ResourceRequirements),
  resizePolicy: t.optional(23, t.atomicList(ContainerResizePolicy), { gate: 'InPlacePodVerticalScaling' }),
  restartPolicy: t.pointer(24, t.named('v1.ContainerRestartPolicy', t.string)),
  restartPolicyRules: t.optional(25, t.atomicList(ContainerRestartRule), { gate: 'ContainerRestartRules' }),
  volumeMounts: t.optional(9, t.listMap(VolumeMount, ['mountPath']), {
    patch: 'merge',
    patchKey: 'mountPath',
  }),
  volumeDevices: t.optional(21, t.listMap(VolumeDevice, ['devicePath']), {
    patch: 'merge',
    patchKey: 'devicePath',
  }),
  livenessProbe: t.pointer(10, Probe),
  readinessProbe: t.pointer(11, Probe),
  startupProbe: t.pointer(22, Probe),
  lifecycle: t.pointer(12, Lifecycle),
  terminationMessagePath: t.optional(13, t.string, { default: '/dev/termination-log' }),
  terminationMessagePolicy: t.optional(
    20,
    t.named('v1.TerminationMessagePolicy', t.oneOf(['File', 'FallbackToLogsOnError'])),
    { default: 'File' },
  ),
  imagePullPolicy: t.optional(14, t.named('v1.PullPolicy', t.oneOf(['Always', 'Never', 'IfNotPresent']))),
  securityContext: t.pointer(15, SecurityContext),
  stdin: t.optional(16, t.bool),
  stdinOnce: t.optional(17, t.bool),
  tty: t.optional(18, t.bool, { go: 'TTY' }),
};

export const Container = t.struct('core/v1.Container', fields);
export interface Container extends t.Static<typeof Container> {}

export const EphemeralContainerCommon = t.struct('core/v1.EphemeralContainerCommon', fields);
export interface EphemeralContainerCommon extends t.Static<typeof EphemeralContainerCommon> {}

export const EphemeralContainer = t.struct('core/v1.EphemeralContainer', {
  ephemeralContainerCommon: t.embedded(1, EphemeralContainerCommon),
  targetContainerName: t.optional(2, t.string),
});
export interface EphemeralContainer extends t.Static<typeof EphemeralContainer> {}
