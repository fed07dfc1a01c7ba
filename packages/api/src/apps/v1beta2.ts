import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../meta/v1/label-selector.ts';
import { defaultRollback } from './rollback-annotation.ts';
import { defaultTemplateGeneration } from './template-generation.ts';
import * as v1 from './v1/index.ts';
import {
  defaultDaemonSetStrategy,
  defaultTemplate,
  defaultDeploymentStrategy,
  defaultStatefulSet,
} from './workload-defaults.ts';

export const ControllerRevision = t.kindIn('apps/v1beta2', v1.ControllerRevision, {
  fields: { revision: t.always(3, t.int64) },
  shared: ['columns'],
});
export interface ControllerRevision extends t.Static<typeof ControllerRevision> {}

export const RollingUpdateDaemonSet = t.structIn('apps/v1beta2', v1.RollingUpdateDaemonSet);
export interface RollingUpdateDaemonSet extends t.Static<typeof RollingUpdateDaemonSet> {}

export const DaemonSetUpdateStrategy = t.struct('apps/v1beta2.DaemonSetUpdateStrategy', {
  type: t.optional(1, t.named('v1beta2.DaemonSetUpdateStrategyType', t.string), { default: 'RollingUpdate' }),
  rollingUpdate: t.pointer(2, RollingUpdateDaemonSet),
});
export interface DaemonSetUpdateStrategy extends t.Static<typeof DaemonSetUpdateStrategy> {}

export const DaemonSetSpec = t.structIn('apps/v1beta2', v1.DaemonSetSpec, {
  fields: {
    selector: t.nullable(1, LabelSelector),
    template: t.always(2, PodTemplateSpec),
    updateStrategy: t.optional(3, DaemonSetUpdateStrategy),
  },
});
export interface DaemonSetSpec extends t.Static<typeof DaemonSetSpec> {}

export const DaemonSetCondition = t.structIn('apps/v1beta2', v1.DaemonSetCondition, {
  fields: {
    type: t.always(1, t.named('v1beta2.DaemonSetConditionType', t.string)),
    status: t.always(2, t.named('v1.ConditionStatus', t.string)),
  },
});
export interface DaemonSetCondition extends t.Static<typeof DaemonSetCondition> {}

export const DaemonSetStatus = t.structIn('apps/v1beta2', v1.DaemonSetStatus, {
  fields: {
    currentNumberScheduled: t.always(1, t.int32),
    numberMisscheduled: t.always(2, t.int32),
    desiredNumberScheduled: t.always(3, t.int32),
    numberReady: t.always(4, t.int32),
    conditions: t.optional(10, t.listMap(DaemonSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  },
});
export interface DaemonSetStatus extends t.Static<typeof DaemonSetStatus> {}

export const DaemonSet = t.kindIn(
  'apps/v1beta2',
  v1.DaemonSet,
  {
    fields: { spec: t.optional(2, DaemonSetSpec), status: t.optional(3, DaemonSetStatus) },
    shared: ['columns'],
  },
  { defaults: [defaultDaemonSetStrategy, defaultTemplate, defaultTemplateGeneration] },
);
export interface DaemonSet extends t.Static<typeof DaemonSet> {}

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
  {
    fields: { spec: t.optional(2, DeploymentSpec), status: t.optional(3, DeploymentStatus) },
    shared: ['columns'],
  },
  { defaults: [defaultDeploymentStrategy('25%'), defaultTemplate, defaultRollback] },
);
export interface Deployment extends t.Static<typeof Deployment> {}

export const ReplicaSetSpec = t.structIn('apps/v1beta2', v1.ReplicaSetSpec, {
  fields: { selector: t.nullable(2, LabelSelector) },
});
export interface ReplicaSetSpec extends t.Static<typeof ReplicaSetSpec> {}

export const ReplicaSetCondition = t.structIn('apps/v1beta2', v1.ReplicaSetCondition, {
  fields: {
    type: t.always(1, t.named('v1beta2.ReplicaSetConditionType', t.string)),
    status: t.always(2, t.named('v1.ConditionStatus', t.string)),
  },
});
export interface ReplicaSetCondition extends t.Static<typeof ReplicaSetCondition> {}

export const ReplicaSetStatus = t.structIn('apps/v1beta2', v1.ReplicaSetStatus, {
  fields: {
    replicas: t.always(1, t.int32),
    conditions: t.optional(6, t.listMap(ReplicaSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  },
});
export interface ReplicaSetStatus extends t.Static<typeof ReplicaSetStatus> {}

export const ReplicaSet = t.kindIn(
  'apps/v1beta2',
  v1.ReplicaSet,
  {
    fields: { spec: t.optional(2, ReplicaSetSpec), status: t.optional(3, ReplicaSetStatus) },
    shared: ['columns'],
  },
  { defaults: [defaultTemplate] },
);
export interface ReplicaSet extends t.Static<typeof ReplicaSet> {}

export const ScaleSpec = t.struct('apps/v1beta2.ScaleSpec', {
  replicas: t.optional(1, t.int32, { default: 0, defaultPublished: true }),
});
export interface ScaleSpec extends t.Static<typeof ScaleSpec> {}

export const ScaleStatus = t.struct('apps/v1beta2.ScaleStatus', {
  replicas: t.always(1, t.int32),
  selector: t.optional(2, t.atomicMap(t.string)),
  targetSelector: t.optional(3, t.string),
});
export interface ScaleStatus extends t.Static<typeof ScaleStatus> {}

export const Scale = t.kind('apps/v1beta2.Scale', 'apps/v1beta2', undefined, {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  spec: t.optional(2, ScaleSpec),
  status: t.optional(3, ScaleStatus),
});
export interface Scale extends t.Static<typeof Scale> {}

export const StatefulSetUpdateStrategy = t.structIn('apps/v1beta2', v1.StatefulSetUpdateStrategy, {
  fields: { type: t.optional(1, t.named('v1beta2.StatefulSetUpdateStrategyType', t.string)) },
});
export interface StatefulSetUpdateStrategy extends t.Static<typeof StatefulSetUpdateStrategy> {}

export const StatefulSetSpec = t.structIn('apps/v1beta2', v1.StatefulSetSpec, {
  fields: {
    selector: t.nullable(2, LabelSelector),
    template: t.always(3, PodTemplateSpec),
    podManagementPolicy: t.optional(6, t.named('v1beta2.PodManagementPolicyType', t.string), {
      default: 'OrderedReady',
    }),
    updateStrategy: t.optional(7, StatefulSetUpdateStrategy),
  },
});
export interface StatefulSetSpec extends t.Static<typeof StatefulSetSpec> {}

export const StatefulSetCondition = t.structIn('apps/v1beta2', v1.StatefulSetCondition, {
  fields: {
    type: t.always(1, t.named('v1beta2.StatefulSetConditionType', t.string)),
    status: t.always(2, t.named('v1.ConditionStatus', t.string)),
  },
});
export interface StatefulSetCondition extends t.Static<typeof StatefulSetCondition> {}

export const StatefulSetStatus = t.structIn('apps/v1beta2', v1.StatefulSetStatus, {
  fields: {
    replicas: t.always(2, t.int32),
    conditions: t.optional(10, t.listMap(StatefulSetCondition, ['type']), {
      patch: 'merge',
      patchKey: 'type',
    }),
  },
});
export interface StatefulSetStatus extends t.Static<typeof StatefulSetStatus> {}

export const StatefulSet = t.kindIn(
  'apps/v1beta2',
  v1.StatefulSet,
  {
    fields: { spec: t.optional(2, StatefulSetSpec), status: t.optional(3, StatefulSetStatus) },
    shared: ['columns'],
  },
  { defaults: [defaultStatefulSet('RollingUpdate'), defaultTemplate] },
);
export interface StatefulSet extends t.Static<typeof StatefulSet> {}
