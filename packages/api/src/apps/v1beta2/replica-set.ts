import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultTemplate } from '../workload-defaults.ts';
import { replicaSetColumns } from '../workload-columns.ts';
import * as v1 from '../v1/replica-set.ts';

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
  { fields: { spec: t.optional(2, ReplicaSetSpec), status: t.optional(3, ReplicaSetStatus) } },
  { defaults: [defaultTemplate], columns: replicaSetColumns },
);
export interface ReplicaSet extends t.Static<typeof ReplicaSet> {}
