import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultDeploymentStrategy, defaultTemplate } from '../workload-defaults.ts';
import { defaultRollback } from '../rollback-annotation.ts';
import { deploymentColumns } from '../workload-columns.ts';
import * as v1 from '../v1/deployment.ts';

export const DeploymentStrategy = t.structIn('apps/v1beta2', v1.DeploymentStrategy, {
  fields: {
    type: t.optional(1, t.named('v1beta2.DeploymentStrategyType', t.string), { default: 'RollingUpdate' }),
  },
});
export interface DeploymentStrategy extends t.Static<typeof DeploymentStrategy> {}

export const DeploymentSpec = t.structIn('apps/v1beta2', v1.DeploymentSpec, {
  fields: {
    selector: t.nullable(2, LabelSelector),
    template: t.always(3, PodTemplateSpec),
    strategy: t.optional(4, DeploymentStrategy, { patch: 'retainKeys' }),
  },
});
export interface DeploymentSpec extends t.Static<typeof DeploymentSpec> {}

export const DeploymentCondition = t.structIn('apps/v1beta2', v1.DeploymentCondition, {
  fields: {
    type: t.always(1, t.named('v1beta2.DeploymentConditionType', t.string)),
    status: t.always(2, t.named('v1.ConditionStatus', t.string)),
  },
});
export interface DeploymentCondition extends t.Static<typeof DeploymentCondition> {}

export const DeploymentStatus = t.structIn('apps/v1beta2', v1.DeploymentStatus, {
  fields: {
    conditions: t.optional(6, t.listMap(DeploymentCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  },
});
export interface DeploymentStatus extends t.Static<typeof DeploymentStatus> {}

export const Deployment = t.kindIn(
  'apps/v1beta2',
  v1.Deployment,
  { fields: { spec: t.optional(2, DeploymentSpec), status: t.optional(3, DeploymentStatus) } },
  {
    defaults: [defaultDeploymentStrategy('25%'), defaultTemplate, defaultRollback],
    columns: deploymentColumns,
  },
);
export interface Deployment extends t.Static<typeof Deployment> {}
