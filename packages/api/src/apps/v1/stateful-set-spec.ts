import * as t from '@coxswain/schema';
import { PersistentVolumeClaim } from '../../core/v1/persistent-volume-claim.ts';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const RollingUpdateStatefulSetStrategy = t.struct('apps/v1.RollingUpdateStatefulSetStrategy', {
  partition: t.pointer(1, t.int32),
  maxUnavailable: t.pointer(2, t.intOrString, { gate: 'MaxUnavailableStatefulSet' }),
});
export interface RollingUpdateStatefulSetStrategy extends t.Static<typeof RollingUpdateStatefulSetStrategy> {}

export const StatefulSetUpdateStrategy = t.struct('apps/v1.StatefulSetUpdateStrategy', {
  type: t.optional(1, t.named('v1.StatefulSetUpdateStrategyType', t.oneOf(['RollingUpdate', 'OnDelete']))),
  rollingUpdate: t.pointer(2, RollingUpdateStatefulSetStrategy),
});
export interface StatefulSetUpdateStrategy extends t.Static<typeof StatefulSetUpdateStrategy> {}

export const StatefulSetPersistentVolumeClaimRetentionPolicy = t.struct(
  'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  {
    whenDeleted: t.optional(1, t.named('v1.PersistentVolumeClaimRetentionPolicyType', t.string), {
      default: 'Retain',
    }),
    whenScaled: t.optional(2, t.named('v1.PersistentVolumeClaimRetentionPolicyType', t.string), {
      default: 'Retain',
    }),
  },
);
export interface StatefulSetPersistentVolumeClaimRetentionPolicy extends t.Static<
  typeof StatefulSetPersistentVolumeClaimRetentionPolicy
> {}

export const StatefulSetOrdinals = t.struct('apps/v1.StatefulSetOrdinals', {
  start: t.always(1, t.int32),
});
export interface StatefulSetOrdinals extends t.Static<typeof StatefulSetOrdinals> {}

export const StatefulSetSpec = t.struct('apps/v1.StatefulSetSpec', {
  replicas: t.pointer(1, t.int32, { default: 1 }),
  selector: t.nullable(2, LabelSelector, { required: true }),
  template: t.always(3, PodTemplateSpec, { required: true }),
  volumeClaimTemplates: t.optional(4, t.atomicList(PersistentVolumeClaim.type), { keepsGated: true }),
  serviceName: t.always(5, t.string),
  podManagementPolicy: t.optional(
    6,
    t.named('v1.PodManagementPolicyType', t.oneOf(['OrderedReady', 'Parallel'])),
    {
      default: 'OrderedReady',
    },
  ),
  updateStrategy: t.optional(7, StatefulSetUpdateStrategy),
  revisionHistoryLimit: t.pointer(8, t.int32, { default: 10 }),
  minReadySeconds: t.optional(9, t.int32),
  persistentVolumeClaimRetentionPolicy: t.pointer(10, StatefulSetPersistentVolumeClaimRetentionPolicy),
  ordinals: t.pointer(11, StatefulSetOrdinals),
});
export interface StatefulSetSpec extends t.Static<typeof StatefulSetSpec> {}

export const StatefulSetCondition = t.struct('apps/v1.StatefulSetCondition', {
  type: t.always(1, t.named('v1.StatefulSetConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastTransitionTime: t.optional(3, t.time),
  reason: t.optional(4, t.string),
  message: t.optional(5, t.string),
});
export interface StatefulSetCondition extends t.Static<typeof StatefulSetCondition> {}

export const StatefulSetStatus = t.struct('apps/v1.StatefulSetStatus', {
  observedGeneration: t.optional(1, t.int64),
  replicas: t.always(2, t.int32, { required: true }),
  readyReplicas: t.optional(3, t.int32),
  currentReplicas: t.optional(4, t.int32),
  updatedReplicas: t.optional(5, t.int32),
  currentRevision: t.optional(6, t.string),
  updateRevision: t.optional(7, t.string),
  collisionCount: t.pointer(9, t.int32),
  conditions: t.optional(10, t.listMap(StatefulSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  availableReplicas: t.always(11, t.int32),
});
export interface StatefulSetStatus extends t.Static<typeof StatefulSetStatus> {}
