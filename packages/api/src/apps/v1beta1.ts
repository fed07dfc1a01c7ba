import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../meta/v1/label-selector.ts';
import * as v1beta2 from './v1beta2.ts';
import {
  defaultDeploymentStrategy,
  defaultTemplate,
  inheritTemplateLabels,
  defaultStatefulSet,
} from './workload-defaults.ts';

export const ControllerRevision = t.kindIn('apps/v1beta1', v1beta2.ControllerRevision, {
  shared: ['columns'],
});
export interface ControllerRevision extends t.Static<typeof ControllerRevision> {}

export const RollbackConfig = t.struct('apps/v1beta1.RollbackConfig', {
  revision: t.optional(1, t.int64),
});
export interface RollbackConfig extends t.Static<typeof RollbackConfig> {}

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
  { fields: { spec: t.optional(2, DeploymentSpec) }, shared: ['columns'] },
  { defaults: [inheritTemplateLabels, defaultDeploymentStrategy('25%'), defaultTemplate] },
);
export interface Deployment extends t.Static<typeof Deployment> {}

export const DeploymentRollback = t.kind('apps/v1beta1.DeploymentRollback', 'apps/v1beta1', undefined, {
  name: t.always(1, t.string),
  updatedAnnotations: t.optional(2, t.map(t.string)),
  rollbackTo: t.always(3, RollbackConfig),
});
export interface DeploymentRollback extends t.Static<typeof DeploymentRollback> {}

export const ScaleStatus = t.structIn('apps/v1beta1', v1beta2.ScaleStatus, {
  fields: { selector: t.optional(2, t.map(t.string)) },
});
export interface ScaleStatus extends t.Static<typeof ScaleStatus> {}

export const Scale = t.kindIn('apps/v1beta1', v1beta2.Scale, {
  fields: { status: t.optional(3, ScaleStatus) },
});
export interface Scale extends t.Static<typeof Scale> {}

export const StatefulSetSpec = t.structIn('apps/v1beta1', v1beta2.StatefulSetSpec, {
  fields: { selector: t.pointer(2, LabelSelector) },
});
export interface StatefulSetSpec extends t.Static<typeof StatefulSetSpec> {}

export const StatefulSetStatus = t.structIn('apps/v1beta1', v1beta2.StatefulSetStatus, {
  fields: { observedGeneration: t.pointer(1, t.int64) },
});
export interface StatefulSetStatus extends t.Static<typeof StatefulSetStatus> {}

export const StatefulSet = t.kindIn(
  'apps/v1beta1',
  v1beta2.StatefulSet,
  {
    fields: { spec: t.optional(2, StatefulSetSpec), status: t.optional(3, StatefulSetStatus) },
    shared: ['columns'],
  },
  { defaults: [inheritTemplateLabels, defaultStatefulSet('OnDelete'), defaultTemplate] },
);
export interface StatefulSet extends t.Static<typeof StatefulSet> {}
