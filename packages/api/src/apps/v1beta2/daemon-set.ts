import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultDaemonSetStrategy, defaultTemplate } from '../workload-defaults.ts';
import { defaultTemplateGeneration } from '../template-generation.ts';
import { daemonSetColumns } from '../workload-columns.ts';
import * as v1 from '../v1/daemon-set.ts';

export const RollingUpdateDaemonSet = t.structIn('apps/v1beta2', v1.RollingUpdateDaemonSet);
export interface RollingUpdateDaemonSet extends t.Static<typeof RollingUpdateDaemonSet> {}

export const DaemonSetUpdateStrategy = t.struct('apps/v1beta2.DaemonSetUpdateStrategy', {
  type: t.optional(1, t.named('v1beta2.DaemonSetUpdateStrategyType', t.string), { default: 'RollingUpdate' }),
  rollingUpdate: t.pointer(2, RollingUpdateDaemonSet),
});
export interface DaemonSetUpdateStrategy extends t.Static<typeof DaemonSetUpdateStrategy> {}

export const DaemonSetSpec = t.structIn('apps/v1beta2', v1.DaemonSetSpec, {
  fields: {
    selector: t.nullable(1, LabelSelector),
    template: t.always(2, PodTemplateSpec),
    updateStrategy: t.optional(3, DaemonSetUpdateStrategy),
  },
});
export interface DaemonSetSpec extends t.Static<typeof DaemonSetSpec> {}

export const DaemonSetCondition = t.structIn('apps/v1beta2', v1.DaemonSetCondition, {
  fields: {
    type: t.always(1, t.named('v1beta2.DaemonSetConditionType', t.string)),
    status: t.always(2, t.named('v1.ConditionStatus', t.string)),
  },
});
export interface DaemonSetCondition extends t.Static<typeof DaemonSetCondition> {}

export const DaemonSetStatus = t.structIn('apps/v1beta2', v1.DaemonSetStatus, {
  fields: {
    currentNumberScheduled: t.always(1, t.int32),
    numberMisscheduled: t.always(2, t.int32),
    desiredNumberScheduled: t.always(3, t.int32),
    numberReady: t.always(4, t.int32),
    conditions: t.optional(10, t.listMap(DaemonSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  },
});
export interface DaemonSetStatus extends t.Static<typeof DaemonSetStatus> {}

export const DaemonSet = t.kindIn(
  'apps/v1beta2',
  v1.DaemonSet,
  { fields: { spec: t.optional(2, DaemonSetSpec), status: t.optional(3, DaemonSetStatus) } },
  {
    defaults: [defaultDaemonSetStrategy, defaultTemplate, defaultTemplateGeneration],
    columns: daemonSetColumns,
  },
);
export interface DaemonSet extends t.Static<typeof DaemonSet> {}
