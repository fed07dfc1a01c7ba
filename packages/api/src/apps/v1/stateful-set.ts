import * as t from '@coxswain/schema';
import { defaultStatefulSet, defaultTemplate } from '../workload-defaults.ts';
import { statefulSetColumns } from '../workload-columns.ts';
import { validateStatefulSet, validateStatefulSetStatus } from '../stateful-set-validation.ts';
import { statefulSetWarnings } from '../workload-warnings.ts';
import { StatefulSetSpec } from './stateful-set-spec.ts';

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

export const StatefulSet = t.kind(
  'apps/v1.StatefulSet',
  'apps/v1',
  { plural: 'statefulsets', shortNames: ['sts'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, StatefulSetSpec),
    status: t.optional(3, StatefulSetStatus),
  },
  {
    defaults: [defaultStatefulSet('RollingUpdate'), defaultTemplate],
    validate: validateStatefulSet,
    validateStatus: validateStatefulSetStatus,
    warnings: statefulSetWarnings,
    columns: statefulSetColumns,
  },
);
export interface StatefulSet extends t.Static<typeof StatefulSet> {}
