import {
  always,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
  oneOf,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { defaultTaint } from '../v1/device-defaults.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { timeSince } from '../../meta/human-duration.ts';
import { validateTaintRule, validateTaintRuleStatus } from '../taint-validation.ts';

export const DeviceTaint = struct('resource/v1alpha3.DeviceTaint', {
  key: always(1, string, { required: true }),
  value: optional(2, string),
  effect: always(3, named('v1alpha3.DeviceTaintEffect', oneOf(['None', 'NoSchedule', 'NoExecute'])), {
    required: true,
  }),
  timeAdded: pointer(4, time),
});
export interface DeviceTaint extends Static<typeof DeviceTaint> {}

export const DeviceTaintSelector = struct('resource/v1alpha3.DeviceTaintSelector', {
  driver: pointer(2, string),
  pool: pointer(3, string),
  device: pointer(4, string),
});
export interface DeviceTaintSelector extends Static<typeof DeviceTaintSelector> {}

export const DeviceTaintRuleSpec = struct('resource/v1alpha3.DeviceTaintRuleSpec', {
  deviceSelector: pointer(1, DeviceTaintSelector),
  taint: optional(2, DeviceTaint, { required: true }),
});
export interface DeviceTaintRuleSpec extends Static<typeof DeviceTaintRuleSpec> {}

export const DeviceTaintRuleStatus = struct('resource/v1alpha3.DeviceTaintRuleStatus', {
  conditions: optional(1, listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface DeviceTaintRuleStatus extends Static<typeof DeviceTaintRuleStatus> {}

export const DeviceTaintRule = kind(
  'resource/v1alpha3.DeviceTaintRule',
  'resource.k8s.io/v1alpha3',
  { plural: 'devicetaintrules', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, DeviceTaintRuleSpec, { required: true }),
    status: optional(3, DeviceTaintRuleStatus),
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
export interface DeviceTaintRule extends Static<typeof DeviceTaintRule> {}
