import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultTemplate, inheritTemplateLabels } from '../../apps/workload-defaults.ts';
import { replicaSetColumns } from '../../apps/workload-columns.ts';
import * as v1beta2 from '../../apps/v1beta2/replica-set.ts';

export const ReplicaSetSpec = t.structIn('extensions/v1beta1', v1beta2.ReplicaSetSpec, {
  fields: { selector: t.pointer(2, LabelSelector) },
});
export interface ReplicaSetSpec extends t.Static<typeof ReplicaSetSpec> {}

export const ReplicaSetStatus = t.structIn('extensions/v1beta1', v1beta2.ReplicaSetStatus);
export interface ReplicaSetStatus extends t.Static<typeof ReplicaSetStatus> {}

export const ReplicaSet = t.kind(
  'extensions/v1beta1.ReplicaSet',
  'extensions/v1beta1',
  { plural: 'replicasets', shortNames: ['rs'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ReplicaSetSpec),
    status: t.optional(3, ReplicaSetStatus),
  },
  {
    defaults: [inheritTemplateLabels, defaultTemplate],
    columns: replicaSetColumns,
  },
);
export interface ReplicaSet extends t.Static<typeof ReplicaSet> {}
