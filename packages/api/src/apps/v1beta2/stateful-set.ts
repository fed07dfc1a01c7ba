import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultStatefulSet, defaultTemplate } from '../workload-defaults.ts';
import { statefulSetColumns } from '../workload-columns.ts';
import * as v1 from '../v1/index.ts';

export const StatefulSetUpdateStrategy = t.structIn('apps/v1beta2', v1.StatefulSetUpdateStrategy, {
  fields: { type: t.optional(1, t.named('v1beta2.StatefulSetUpdateStrategyType', t.string)) },
});
export interface StatefulSetUpdateStrategy extends t.Static<typeof StatefulSetUpdateStrategy> {}

export const StatefulSetSpec = t.structIn('apps/v1beta2', v1.StatefulSetSpec, {
  fields: {
    selector: t.nullable(2, LabelSelector),
    template: t.always(3, PodTemplateSpec),
    podManagementPolicy: t.optional(6, t.named('v1beta2.PodManagementPolicyType', t.string), {
      default: 'OrderedReady',
    }),
    updateStrategy: t.optional(7, StatefulSetUpdateStrategy),
  },
});
export interface StatefulSetSpec extends t.Static<typeof StatefulSetSpec> {}

export const StatefulSetCondition = t.structIn('apps/v1beta2', v1.StatefulSetCondition, {
  fields: {
    type: t.always(1, t.named('v1beta2.StatefulSetConditionType', t.string)),
    status: t.always(2, t.named('v1.ConditionStatus', t.string)),
  },
});
export interface StatefulSetCondition extends t.Static<typeof StatefulSetCondition> {}

export const StatefulSetStatus = t.structIn('apps/v1beta2', v1.StatefulSetStatus, {
  fields: {
    replicas: t.always(2, t.int32),
    conditions: t.optional(10, t.listMap(StatefulSetCondition, ['type']), {
      patch: 'merge',
      patchKey: 'type',
    }),
  },
});
export interface StatefulSetStatus extends t.Static<typeof StatefulSetStatus> {}

export const StatefulSet = t.kindIn(
  'apps/v1beta2',
  v1.StatefulSet,
  { fields: { spec: t.optional(2, StatefulSetSpec), status: t.optional(3, StatefulSetStatus) } },
  { defaults: [defaultStatefulSet('RollingUpdate'), defaultTemplate], columns: statefulSetColumns },
);
export interface StatefulSet extends t.Static<typeof StatefulSet> {}
