import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const RollingUpdateDeployment = t.struct('apps/v1.RollingUpdateDeployment', {
  maxUnavailable: t.pointer(1, t.intOrString),
  maxSurge: t.pointer(2, t.intOrString),
});
export interface RollingUpdateDeployment extends t.Static<typeof RollingUpdateDeployment> {}

export const DeploymentStrategy = t.struct('apps/v1.DeploymentStrategy', {
  type: t.optional(1, t.named('v1.DeploymentStrategyType', t.oneOf(['Recreate', 'RollingUpdate'])), {
    default: 'RollingUpdate',
  }),
  rollingUpdate: t.pointer(2, RollingUpdateDeployment),
});
export interface DeploymentStrategy extends t.Static<typeof DeploymentStrategy> {}

export const DeploymentSpec = t.struct('apps/v1.DeploymentSpec', {
  replicas: t.pointer(1, t.int32, { default: 1 }),
  selector: t.nullable(2, LabelSelector, { required: true }),
  template: t.always(3, PodTemplateSpec, { required: true }),
  strategy: t.optional(4, DeploymentStrategy, { patch: 'retainKeys' }),
  minReadySeconds: t.optional(5, t.int32),
  revisionHistoryLimit: t.pointer(6, t.int32, { default: 10 }),
  paused: t.optional(7, t.bool),
  progressDeadlineSeconds: t.pointer(9, t.int32, { default: 600 }),
});
export interface DeploymentSpec extends t.Static<typeof DeploymentSpec> {}

export const DeploymentCondition = t.struct('apps/v1.DeploymentCondition', {
  type: t.always(1, t.named('v1.DeploymentConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastUpdateTime: t.optional(6, t.time),
  lastTransitionTime: t.optional(7, t.time),
  reason: t.optional(4, t.string),
  message: t.optional(5, t.string),
});
export interface DeploymentCondition extends t.Static<typeof DeploymentCondition> {}

export const DeploymentStatus = t.struct('apps/v1.DeploymentStatus', {
  observedGeneration: t.optional(1, t.int64),
  replicas: t.optional(2, t.int32),
  updatedReplicas: t.optional(3, t.int32),
  readyReplicas: t.optional(7, t.int32),
  availableReplicas: t.optional(4, t.int32),
  unavailableReplicas: t.optional(5, t.int32),
  terminatingReplicas: t.pointer(9, t.int32, { gate: 'DeploymentReplicaSetTerminatingReplicas' }),
  conditions: t.optional(6, t.listMap(DeploymentCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  collisionCount: t.pointer(8, t.int32),
});
export interface DeploymentStatus extends t.Static<typeof DeploymentStatus> {}
