import {
  always,
  int32,
  int64,
  intOrString,
  kind,
  listMap,
  nullable,
  ObjectMeta,
  oneOf,
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
import { defaultDaemonSetStrategy, defaultTemplate } from '../workload-defaults.ts';
import { daemonSetColumns } from '../workload-columns.ts';
import { defaultTemplateGeneration, templateGenerationAnnotation } from '../template-generation.ts';
import { validateDaemonSet, validateDaemonSetStatus } from '../daemon-set-validation.ts';
import { daemonSetWarnings } from '../workload-warnings.ts';

export const RollingUpdateDaemonSet = struct('apps/v1.RollingUpdateDaemonSet', {
  maxUnavailable: pointer(1, intOrString),
  maxSurge: pointer(2, intOrString),
});
export interface RollingUpdateDaemonSet extends Static<typeof RollingUpdateDaemonSet> {}

export const DaemonSetUpdateStrategy = struct('apps/v1.DaemonSetUpdateStrategy', {
  type: optional(1, named('v1.DaemonSetUpdateStrategyType', oneOf(['RollingUpdate', 'OnDelete'])), {
    default: 'RollingUpdate',
  }),
  rollingUpdate: pointer(2, RollingUpdateDaemonSet),
});
export interface DaemonSetUpdateStrategy extends Static<typeof DaemonSetUpdateStrategy> {}

export const DaemonSetSpec = struct('apps/v1.DaemonSetSpec', {
  selector: nullable(1, LabelSelector, { required: true }),
  template: always(2, PodTemplateSpec, { required: true }),
  updateStrategy: optional(3, DaemonSetUpdateStrategy),
  minReadySeconds: optional(4, int32),
  revisionHistoryLimit: pointer(6, int32, { default: 10 }),
});
export interface DaemonSetSpec extends Static<typeof DaemonSetSpec> {}

export const DaemonSetCondition = struct('apps/v1.DaemonSetCondition', {
  type: always(1, named('v1.DaemonSetConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface DaemonSetCondition extends Static<typeof DaemonSetCondition> {}

export const DaemonSetStatus = struct('apps/v1.DaemonSetStatus', {
  currentNumberScheduled: always(1, int32, { required: true }),
  numberMisscheduled: always(2, int32, { required: true }),
  desiredNumberScheduled: always(3, int32, { required: true }),
  numberReady: always(4, int32, { required: true }),
  observedGeneration: optional(5, int64),
  updatedNumberScheduled: optional(6, int32),
  numberAvailable: optional(7, int32),
  numberUnavailable: optional(8, int32),
  collisionCount: pointer(9, int32),
  conditions: optional(10, listMap(DaemonSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface DaemonSetStatus extends Static<typeof DaemonSetStatus> {}

export const DaemonSet = kind(
  'apps/v1.DaemonSet',
  'apps/v1',
  { plural: 'daemonsets', shortNames: ['ds'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, DaemonSetSpec),
    status: optional(3, DaemonSetStatus),
  },
  {
    defaults: [defaultDaemonSetStrategy, defaultTemplate, defaultTemplateGeneration],
    validate: validateDaemonSet,
    validateStatus: validateDaemonSetStatus,
    warnings: daemonSetWarnings,
    annotationsOfFields: [templateGenerationAnnotation],
    columns: daemonSetColumns,
  },
);
export interface DaemonSet extends Static<typeof DaemonSet> {}
