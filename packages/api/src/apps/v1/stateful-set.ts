import {
  always,
  int32,
  int64,
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
import { defaultStatefulSet, defaultTemplate } from '../workload-defaults.ts';
import { statefulSetColumns } from '../workload-columns.ts';
import { validateStatefulSet, validateStatefulSetStatus } from '../stateful-set-validation.ts';
import { statefulSetWarnings } from '../workload-warnings.ts';
import { StatefulSetSpec } from './stateful-set-spec.ts';

export const StatefulSetCondition = struct('apps/v1.StatefulSetCondition', {
  type: always(1, named('v1.StatefulSetConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface StatefulSetCondition extends Static<typeof StatefulSetCondition> {}

export const StatefulSetStatus = struct('apps/v1.StatefulSetStatus', {
  observedGeneration: optional(1, int64),
  replicas: always(2, int32, { required: true }),
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
  'apps/v1.StatefulSet',
  'apps/v1',
  { plural: 'statefulsets', shortNames: ['sts'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, StatefulSetSpec),
    status: optional(3, StatefulSetStatus),
  },
  {
    defaults: [defaultStatefulSet('RollingUpdate'), defaultTemplate],
    validate: validateStatefulSet,
    validateStatus: validateStatefulSetStatus,
    warnings: statefulSetWarnings,
    columns: statefulSetColumns,
  },
);
export interface StatefulSet extends Static<typeof StatefulSet> {}
