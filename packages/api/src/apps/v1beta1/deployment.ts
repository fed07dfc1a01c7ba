import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { RollbackConfig } from './rollback-config.ts';
import { defaultDeploymentStrategy, defaultTemplate, inheritTemplateLabels } from '../workload-defaults.ts';
import { deploymentColumns } from '../workload-columns.ts';
import * as v1beta2 from '../v1beta2/deployment.ts';

export const DeploymentStrategy = t.structIn('apps/v1beta1', v1beta2.DeploymentStrategy);
export interface DeploymentStrategy extends t.Static<typeof DeploymentStrategy> {}

export const DeploymentSpec = t.struct('apps/v1beta1.DeploymentSpec', {
  replicas: t.pointer(1, t.int32, { default: 1 }),
  selector: t.pointer(2, LabelSelector),
  template: t.always(3, PodTemplateSpec),
  strategy: t.optional(4, DeploymentStrategy, { patch: 'retainKeys' }),
  minReadySeconds: t.optional(5, t.int32),
  revisionHistoryLimit: t.pointer(6, t.int32, { default: 2 }),
  paused: t.optional(7, t.bool),
  rollbackTo: t.pointer(8, RollbackConfig),
  progressDeadlineSeconds: t.pointer(9, t.int32, { default: 600 }),
});
export interface DeploymentSpec extends t.Static<typeof DeploymentSpec> {}

export const Deployment = t.kindIn(
  'apps/v1beta1',
  v1beta2.Deployment,
  { fields: { spec: t.optional(2, DeploymentSpec) } },
  {
    defaults: [inheritTemplateLabels, defaultDeploymentStrategy('25%'), defaultTemplate],
    columns: deploymentColumns,
  },
);
export interface Deployment extends t.Static<typeof Deployment> {}
