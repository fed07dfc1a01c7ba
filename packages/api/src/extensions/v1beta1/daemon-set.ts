import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import {
  defaultDaemonSetStrategy,
  defaultTemplate,
  inheritTemplateLabels,
} from '../../apps/workload-defaults.ts';
import { daemonSetColumns } from '../../apps/workload-columns.ts';
import * as v1beta2 from '../../apps/v1beta2/daemon-set.ts';

export const RollingUpdateDaemonSet = t.structIn('extensions/v1beta1', v1beta2.RollingUpdateDaemonSet);
export interface RollingUpdateDaemonSet extends t.Static<typeof RollingUpdateDaemonSet> {}

export const DaemonSetUpdateStrategy = t.struct('extensions/v1beta1.DaemonSetUpdateStrategy', {
  type: t.optional(1, t.named('v1beta1.DaemonSetUpdateStrategyType', t.string), { default: 'OnDelete' }),
  rollingUpdate: t.pointer(2, RollingUpdateDaemonSet),
});
export interface DaemonSetUpdateStrategy extends t.Static<typeof DaemonSetUpdateStrategy> {}

export const DaemonSetSpec = t.struct('extensions/v1beta1.DaemonSetSpec', {
  selector: t.pointer(1, LabelSelector),
  template: t.always(2, PodTemplateSpec),
  updateStrategy: t.optional(3, DaemonSetUpdateStrategy),
  minReadySeconds: t.optional(4, t.int32),
  templateGeneration: t.optional(5, t.int64),
  revisionHistoryLimit: t.pointer(6, t.int32, { default: 10 }),
});
export interface DaemonSetSpec extends t.Static<typeof DaemonSetSpec> {}

export const DaemonSetStatus = t.structIn('extensions/v1beta1', v1beta2.DaemonSetStatus);
export interface DaemonSetStatus extends t.Static<typeof DaemonSetStatus> {}

export const DaemonSet = t.kind(
  'extensions/v1beta1.DaemonSet',
  'extensions/v1beta1',
  { plural: 'daemonsets', shortNames: ['ds'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, DaemonSetSpec),
    status: t.optional(3, DaemonSetStatus),
  },
  {
    defaults: [inheritTemplateLabels, defaultDaemonSetStrategy, defaultTemplate],
    columns: daemonSetColumns,
  },
);
export interface DaemonSet extends t.Static<typeof DaemonSet> {}
