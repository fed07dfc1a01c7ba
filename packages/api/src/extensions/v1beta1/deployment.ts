import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { RollbackConfig } from './rollback-config.ts';
import {
  defaultDeploymentStrategy,
  defaultTemplate,
  inheritTemplateLabels,
} from '../../apps/workload-defaults.ts';
import { deploymentColumns } from '../../apps/workload-columns.ts';
import * as v1beta2 from '../../apps/v1beta2/deployment.ts';

export const DeploymentStrategy = t.structIn('extensions/v1beta1', v1beta2.DeploymentStrategy);
export interface DeploymentStrategy extends t.Static<typeof DeploymentStrategy> {}

export const DeploymentSpec = t.struct('extensions/v1beta1.DeploymentSpec', {
  replicas: t.pointer(1, t.int32, { default: 1 }),
  selector: t.pointer(2, LabelSelector),
  template: t.always(3, PodTemplateSpec),
  strategy: t.optional(4, DeploymentStrategy, { patch: 'retainKeys' }),
  minReadySeconds: t.optional(5, t.int32),
  revisionHistoryLimit: t.pointer(6, t.int32, { default: 2147483647 }),
  paused: t.optional(7, t.bool),
  rollbackTo: t.pointer(8, RollbackConfig),
  progressDeadlineSeconds: t.pointer(9, t.int32, { default: 2147483647 }),
});
export interface DeploymentSpec extends t.Static<typeof DeploymentSpec> {}

export const DeploymentStatus = t.structIn('extensions/v1beta1', v1beta2.DeploymentStatus);
export interface DeploymentStatus extends t.Static<typeof DeploymentStatus> {}

export const Deployment = t.kind(
  'extensions/v1beta1.Deployment',
  'extensions/v1beta1',
  { plural: 'deployments', shortNames: ['deploy'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, DeploymentSpec),
    status: t.optional(3, DeploymentStatus),
  },
  {
    defaults: [inheritTemplateLabels, defaultDeploymentStrategy(1, true), defaultTemplate],
    columns: deploymentColumns,
  },
);
export interface Deployment extends t.Static<typeof Deployment> {}
