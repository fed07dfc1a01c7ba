import * as t from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { DeviceTaint } from './device-taint.ts';
import { defaultTaint } from '../v1/device-defaults.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import { validateTaintRule, validateTaintRuleStatus } from '../taint-validation.ts';

export const DeviceTaintSelector = t.struct('resource/v1beta2.DeviceTaintSelector', {
  driver: t.pointer(2, t.string),
  pool: t.pointer(3, t.string),
  device: t.pointer(4, t.string),
});
export interface DeviceTaintSelector extends t.Static<typeof DeviceTaintSelector> {}

export const DeviceTaintRuleSpec = t.struct('resource/v1beta2.DeviceTaintRuleSpec', {
  deviceSelector: t.pointer(1, DeviceTaintSelector),
  taint: t.optional(2, DeviceTaint, { required: true }),
});
export interface DeviceTaintRuleSpec extends t.Static<typeof DeviceTaintRuleSpec> {}

export const DeviceTaintRuleStatus = t.struct('resource/v1beta2.DeviceTaintRuleStatus', {
  conditions: t.optional(1, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface DeviceTaintRuleStatus extends t.Static<typeof DeviceTaintRuleStatus> {}

export const DeviceTaintRule = t.kind(
  'resource/v1beta2.DeviceTaintRule',
  'resource.k8s.io/v1beta2',
  { plural: 'devicetaintrules', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, DeviceTaintRuleSpec, { required: true }),
    status: t.optional(3, DeviceTaintRuleStatus),
  },
  {
    defaults: [({ spec }, nowMs) => defaultTaint(spec.taint, nowMs)],
    validate: validateTaintRule,
    validateStatus: validateTaintRuleStatus,
    columns: [
      nameColumn,
      column('Key', ({ spec }) => spec?.taint?.key ?? ''),
      column('Value', ({ spec }) => spec?.taint?.value ?? ''),
      column('Effect', ({ spec }) => spec?.taint?.effect ?? ''),
      column('TimeAdded', ({ spec }, nowMs) =>
        spec?.taint?.timeAdded ? timeSince(spec.taint.timeAdded, nowMs) : '',
      ),
      ageColumn,
    ],
  },
);
export interface DeviceTaintRule extends t.Static<typeof DeviceTaintRule> {}
