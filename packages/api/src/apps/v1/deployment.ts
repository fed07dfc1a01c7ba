import {
  always,
  bool,
  int32,
  int64,
  intOrString,
  kind,
  listMap,
  nullable,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultDeploymentStrategy, defaultTemplate } from '../workload-defaults.ts';
import { defaultRollback } from '../rollback-annotation.ts';
import { deploymentColumns } from '../workload-columns.ts';
import { validateDeployment, validateDeploymentStatus } from '../deployment-validation.ts';
import { workloadWarnings } from '../workload-warnings.ts';

export const RollingUpdateDeployment = struct('apps/v1.RollingUpdateDeployment', {
  maxUnavailable: pointer(1, intOrString),
  maxSurge: pointer(2, intOrString),
});
export interface RollingUpdateDeployment extends Static<typeof RollingUpdateDeployment> {}

export const DeploymentStrategy = struct('apps/v1.DeploymentStrategy', {
  type: optional(1, named('v1.DeploymentStrategyType', oneOf(['Recreate', 'RollingUpdate'])), {
    default: 'RollingUpdate',
  }),
  rollingUpdate: pointer(2, RollingUpdateDeployment),
});
export interface DeploymentStrategy extends Static<typeof DeploymentStrategy> {}

export const DeploymentSpec = struct('apps/v1.DeploymentSpec', {
  replicas: pointer(1, int32, { default: 1 }),
  selector: nullable(2, LabelSelector, { required: true }),
  template: always(3, PodTemplateSpec, { required: true }),
  strategy: optional(4, DeploymentStrategy, { patch: 'retainKeys' }),
  minReadySeconds: optional(5, int32),
  revisionHistoryLimit: pointer(6, int32, { default: 10 }),
  paused: optional(7, bool),
  progressDeadlineSeconds: pointer(9, int32, { default: 600 }),
});
export interface DeploymentSpec extends Static<typeof DeploymentSpec> {}

export const DeploymentCondition = struct('apps/v1.DeploymentCondition', {
  type: always(1, named('v1.DeploymentConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastUpdateTime: optional(6, time),
  lastTransitionTime: optional(7, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface DeploymentCondition extends Static<typeof DeploymentCondition> {}

export const DeploymentStatus = struct('apps/v1.DeploymentStatus', {
  observedGeneration: optional(1, int64),
  replicas: optional(2, int32),
  updatedReplicas: optional(3, int32),
  readyReplicas: optional(7, int32),
  availableReplicas: optional(4, int32),
  unavailableReplicas: optional(5, int32),
  terminatingReplicas: pointer(9, int32),
  conditions: optional(6, listMap(DeploymentCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  collisionCount: pointer(8, int32),
});
export interface DeploymentStatus extends Static<typeof DeploymentStatus> {}

export const Deployment = kind(
  'apps/v1.Deployment',
  'apps/v1',
  { plural: 'deployments', shortNames: ['deploy'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, DeploymentSpec),
    status: optional(3, DeploymentStatus),
  },
  {
    defaults: [defaultDeploymentStrategy('25%'), defaultTemplate, defaultRollback],
    validate: validateDeployment,
    validateStatus: validateDeploymentStatus,
    warnings: workloadWarnings,
    columns: deploymentColumns,
  },
);
export interface Deployment extends Static<typeof Deployment> {}
