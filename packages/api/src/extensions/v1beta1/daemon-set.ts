import {
  always,
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
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import {
  defaultDaemonSetStrategy,
  defaultTemplate,
  inheritTemplateLabels,
} from '../../apps/workload-defaults.ts';
import { daemonSetColumns } from '../../apps/workload-columns.ts';

export const RollingUpdateDaemonSet = struct('extensions/v1beta1.RollingUpdateDaemonSet', {
  maxUnavailable: pointer(1, intOrString),
  maxSurge: pointer(2, intOrString),
});
export interface RollingUpdateDaemonSet extends Static<typeof RollingUpdateDaemonSet> {}

export const DaemonSetUpdateStrategy = struct('extensions/v1beta1.DaemonSetUpdateStrategy', {
  type: optional(1, named('v1beta1.DaemonSetUpdateStrategyType', string), { default: 'OnDelete' }),
  rollingUpdate: pointer(2, RollingUpdateDaemonSet),
});
export interface DaemonSetUpdateStrategy extends Static<typeof DaemonSetUpdateStrategy> {}

export const DaemonSetSpec = struct('extensions/v1beta1.DaemonSetSpec', {
  selector: pointer(1, LabelSelector),
  template: always(2, PodTemplateSpec),
  updateStrategy: optional(3, DaemonSetUpdateStrategy),
  minReadySeconds: optional(4, int32),
  templateGeneration: optional(5, int64),
  revisionHistoryLimit: pointer(6, int32, { default: 10 }),
});
export interface DaemonSetSpec extends Static<typeof DaemonSetSpec> {}

export const DaemonSetCondition = struct('extensions/v1beta1.DaemonSetCondition', {
  type: always(1, named('v1beta1.DaemonSetConditionType', string)),
  status: always(2, named('v1.ConditionStatus', string)),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface DaemonSetCondition extends Static<typeof DaemonSetCondition> {}

export const DaemonSetStatus = struct('extensions/v1beta1.DaemonSetStatus', {
  currentNumberScheduled: always(1, int32),
  numberMisscheduled: always(2, int32),
  desiredNumberScheduled: always(3, int32),
  numberReady: always(4, int32),
  observedGeneration: optional(5, int64),
  updatedNumberScheduled: optional(6, int32),
  numberAvailable: optional(7, int32),
  numberUnavailable: optional(8, int32),
  collisionCount: pointer(9, int32),
  conditions: optional(10, listMap(DaemonSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface DaemonSetStatus extends Static<typeof DaemonSetStatus> {}

export const DaemonSet = kind(
  'extensions/v1beta1.DaemonSet',
  'extensions/v1beta1',
  { plural: 'daemonsets', shortNames: ['ds'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, DaemonSetSpec),
    status: optional(3, DaemonSetStatus),
  },
  {
    defaults: [inheritTemplateLabels, defaultDaemonSetStrategy, defaultTemplate],
    columns: daemonSetColumns,
  },
);
export interface DaemonSet extends Static<typeof DaemonSet> {}
