import {
  always,
  atomicList,
  int32,
  intOrString,
  named,
  nullable,
  oneOf,
  optional,
  pointer,
  string,
  struct,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PersistentVolumeClaim } from '../../core/v1/persistent-volume-claim.ts';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const RollingUpdateStatefulSetStrategy = struct('apps/v1.RollingUpdateStatefulSetStrategy', {
  partition: pointer(1, int32),
  maxUnavailable: pointer(2, intOrString, { gate: 'MaxUnavailableStatefulSet' }),
});
export interface RollingUpdateStatefulSetStrategy extends Static<typeof RollingUpdateStatefulSetStrategy> {}

export const StatefulSetUpdateStrategy = struct('apps/v1.StatefulSetUpdateStrategy', {
  type: optional(1, named('v1.StatefulSetUpdateStrategyType', oneOf(['RollingUpdate', 'OnDelete']))),
  rollingUpdate: pointer(2, RollingUpdateStatefulSetStrategy),
});
export interface StatefulSetUpdateStrategy extends Static<typeof StatefulSetUpdateStrategy> {}

export const StatefulSetPersistentVolumeClaimRetentionPolicy = struct(
  'apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy',
  {
    whenDeleted: optional(1, named('v1.PersistentVolumeClaimRetentionPolicyType', string), {
      default: 'Retain',
    }),
    whenScaled: optional(2, named('v1.PersistentVolumeClaimRetentionPolicyType', string), {
      default: 'Retain',
    }),
  },
);
export interface StatefulSetPersistentVolumeClaimRetentionPolicy extends Static<
  typeof StatefulSetPersistentVolumeClaimRetentionPolicy
> {}

export const StatefulSetOrdinals = struct('apps/v1.StatefulSetOrdinals', {
  start: always(1, int32),
});
export interface StatefulSetOrdinals extends Static<typeof StatefulSetOrdinals> {}

export const StatefulSetSpec = struct('apps/v1.StatefulSetSpec', {
  replicas: pointer(1, int32, { default: 1 }),
  selector: nullable(2, LabelSelector, { required: true }),
  template: always(3, PodTemplateSpec, { required: true }),
  volumeClaimTemplates: optional(4, atomicList(PersistentVolumeClaim.type)),
  serviceName: always(5, string),
  podManagementPolicy: optional(6, named('v1.PodManagementPolicyType', oneOf(['OrderedReady', 'Parallel'])), {
    default: 'OrderedReady',
  }),
  updateStrategy: optional(7, StatefulSetUpdateStrategy),
  revisionHistoryLimit: pointer(8, int32, { default: 10 }),
  minReadySeconds: optional(9, int32),
  persistentVolumeClaimRetentionPolicy: pointer(10, StatefulSetPersistentVolumeClaimRetentionPolicy),
  ordinals: pointer(11, StatefulSetOrdinals),
});
export interface StatefulSetSpec extends Static<typeof StatefulSetSpec> {}
