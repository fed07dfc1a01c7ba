import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultStatefulSet, defaultTemplate, inheritTemplateLabels } from '../workload-defaults.ts';
import { statefulSetColumns } from '../workload-columns.ts';
import * as v1beta2 from '../v1beta2/stateful-set.ts';

export const StatefulSetSpec = t.structIn('apps/v1beta1', v1beta2.StatefulSetSpec, {
  fields: { selector: t.pointer(2, LabelSelector) },
});
export interface StatefulSetSpec extends t.Static<typeof StatefulSetSpec> {}

export const StatefulSetStatus = t.structIn('apps/v1beta1', v1beta2.StatefulSetStatus, {
  fields: { observedGeneration: t.pointer(1, t.int64) },
});
export interface StatefulSetStatus extends t.Static<typeof StatefulSetStatus> {}

export const StatefulSet = t.kindIn(
  'apps/v1beta1',
  v1beta2.StatefulSet,
  { fields: { spec: t.optional(2, StatefulSetSpec), status: t.optional(3, StatefulSetStatus) } },
  {
    defaults: [inheritTemplateLabels, defaultStatefulSet('OnDelete'), defaultTemplate],
    columns: statefulSetColumns,
  },
);
export interface StatefulSet extends t.Static<typeof StatefulSet> {}
