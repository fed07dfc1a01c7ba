import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const RollingUpdateDaemonSet = t.struct('apps/v1.RollingUpdateDaemonSet', {
  maxUnavailable: t.pointer(1, t.intOrString),
  maxSurge: t.pointer(2, t.intOrString),
});
export interface RollingUpdateDaemonSet extends t.Static<typeof RollingUpdateDaemonSet> {}

export const DaemonSetUpdateStrategy = t.struct('apps/v1.DaemonSetUpdateStrategy', {
  type: t.optional(1, t.named('v1.DaemonSetUpdateStrategyType', t.oneOf(['RollingUpdate', 'OnDelete'])), {
    default: 'RollingUpdate',
  }),
  rollingUpdate: t.pointer(2, RollingUpdateDaemonSet),
});
export interface DaemonSetUpdateStrategy extends t.Static<typeof DaemonSetUpdateStrategy> {}

export const DaemonSetSpec = t.struct('apps/v1.DaemonSetSpec', {
  selector: t.nullable(1, LabelSelector, { required: true }),
  template: t.always(2, PodTemplateSpec, { required: true }),
  updateStrategy: t.optional(3, DaemonSetUpdateStrategy),
  minReadySeconds: t.optional(4, t.int32),
  revisionHistoryLimit: t.pointer(6, t.int32, { default: 10 }),
});
export interface DaemonSetSpec extends t.Static<typeof DaemonSetSpec> {}

export const DaemonSetCondition = t.struct('apps/v1.DaemonSetCondition', {
  type: t.always(1, t.named('v1.DaemonSetConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastTransitionTime: t.optional(3, t.time),
  reason: t.optional(4, t.string),
  message: t.optional(5, t.string),
});
export interface DaemonSetCondition extends t.Static<typeof DaemonSetCondition> {}

export const DaemonSetStatus = t.struct('apps/v1.DaemonSetStatus', {
  currentNumberScheduled: t.always(1, t.int32, { required: true }),
  numberMisscheduled: t.always(2, t.int32, { required: true }),
  desiredNumberScheduled: t.always(3, t.int32, { required: true }),
  numberReady: t.always(4, t.int32, { required: true }),
  observedGeneration: t.optional(5, t.int64),
  updatedNumberScheduled: t.optional(6, t.int32),
  numberAvailable: t.optional(7, t.int32),
  numberUnavailable: t.optional(8, t.int32),
  collisionCount: t.pointer(9, t.int32),
  conditions: t.optional(10, t.listMap(DaemonSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface DaemonSetStatus extends t.Static<typeof DaemonSetStatus> {}
