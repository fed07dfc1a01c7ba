import {
  always,
  atomicList,
  int32,
  int64,
  intOrString,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PersistentVolumeClaim } from '../../core/v1/persistent-volume-claim.ts';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultStatefulSet, defaultTemplate, inheritTemplateLabels } from '../workload-defaults.ts';
import { statefulSetColumns } from '../workload-columns.ts';

export const RollingUpdateStatefulSetStrategy = struct('apps/v1beta1.RollingUpdateStatefulSetStrategy', {
  partition: pointer(1, int32),
  maxUnavailable: pointer(2, intOrString, { gate: 'MaxUnavailableStatefulSet' }),
});
export interface RollingUpdateStatefulSetStrategy extends Static<typeof RollingUpdateStatefulSetStrategy> {}

export const StatefulSetUpdateStrategy = struct('apps/v1beta1.StatefulSetUpdateStrategy', {
  type: optional(1, named('v1beta1.StatefulSetUpdateStrategyType', string)),
  rollingUpdate: pointer(2, RollingUpdateStatefulSetStrategy),
});
export interface StatefulSetUpdateStrategy extends Static<typeof StatefulSetUpdateStrategy> {}

export const StatefulSetPersistentVolumeClaimRetentionPolicy = struct(
  'apps/v1beta1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  {
    whenDeleted: optional(1, named('v1beta1.PersistentVolumeClaimRetentionPolicyType', string), {
      default: 'Retain',
    }),
    whenScaled: optional(2, named('v1beta1.PersistentVolumeClaimRetentionPolicyType', string), {
      default: 'Retain',
    }),
  },
);
export interface StatefulSetPersistentVolumeClaimRetentionPolicy extends Static<
  typeof StatefulSetPersistentVolumeClaimRetentionPolicy
> {}

export const StatefulSetOrdinals = struct('apps/v1beta1.StatefulSetOrdinals', {
  start: always(1, int32),
});
export interface StatefulSetOrdinals extends Static<typeof StatefulSetOrdinals> {}

export const StatefulSetSpec = struct('apps/v1beta1.StatefulSetSpec', {
  replicas: pointer(1, int32, { default: 1 }),
  selector: pointer(2, LabelSelector),
  template: always(3, PodTemplateSpec),
  volumeClaimTemplates: optional(4, atomicList(PersistentVolumeClaim.type)),
  serviceName: always(5, string),
  podManagementPolicy: optional(6, named('v1beta1.PodManagementPolicyType', string), {
    default: 'OrderedReady',
  }),
  updateStrategy: optional(7, StatefulSetUpdateStrategy),
  revisionHistoryLimit: pointer(8, int32, { default: 10 }),
  minReadySeconds: optional(9, int32),
  persistentVolumeClaimRetentionPolicy: pointer(10, StatefulSetPersistentVolumeClaimRetentionPolicy),
  ordinals: pointer(11, StatefulSetOrdinals),
});
export interface StatefulSetSpec extends Static<typeof StatefulSetSpec> {}

export const StatefulSetCondition = struct('apps/v1beta1.StatefulSetCondition', {
  type: always(1, named('v1beta1.StatefulSetConditionType', string)),
  status: always(2, named('v1.ConditionStatus', string)),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface StatefulSetCondition extends Static<typeof StatefulSetCondition> {}

export const StatefulSetStatus = struct('apps/v1beta1.StatefulSetStatus', {
  observedGeneration: pointer(1, int64),
  replicas: always(2, int32),
  readyReplicas: optional(3, int32),
  currentReplicas: optional(4, int32),
  updatedReplicas: optional(5, int32),
  currentRevision: optional(6, string),
  updateRevision: optional(7, string),
  collisionCount: pointer(9, int32),
  conditions: optional(10, listMap(StatefulSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  availableReplicas: always(11, int32),
});
export interface StatefulSetStatus extends Static<typeof StatefulSetStatus> {}

export const StatefulSet = kind(
  'apps/v1beta1.StatefulSet',
  'apps/v1beta1',
  { plural: 'statefulsets', shortNames: ['sts'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, StatefulSetSpec),
    status: optional(3, StatefulSetStatus),
  },
  {
    defaults: [inheritTemplateLabels, defaultStatefulSet('OnDelete'), defaultTemplate],
    columns: statefulSetColumns,
  },
);
export interface StatefulSet extends Static<typeof StatefulSet> {}
