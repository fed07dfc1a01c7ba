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
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultTemplate, inheritTemplateLabels } from '../../apps/workload-defaults.ts';
import { replicaSetColumns } from '../../apps/workload-columns.ts';

export const ReplicaSetSpec = struct('extensions/v1beta1.ReplicaSetSpec', {
  replicas: pointer(1, int32, { default: 1 }),
  minReadySeconds: optional(4, int32),
  selector: pointer(2, LabelSelector),
  template: optional(3, PodTemplateSpec),
});
export interface ReplicaSetSpec extends Static<typeof ReplicaSetSpec> {}

export const ReplicaSetCondition = struct('extensions/v1beta1.ReplicaSetCondition', {
  type: always(1, named('v1beta1.ReplicaSetConditionType', string)),
  status: always(2, named('v1.ConditionStatus', string)),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface ReplicaSetCondition extends Static<typeof ReplicaSetCondition> {}

export const ReplicaSetStatus = struct('extensions/v1beta1.ReplicaSetStatus', {
  replicas: always(1, int32),
  fullyLabeledReplicas: optional(2, int32),
  readyReplicas: optional(4, int32),
  availableReplicas: optional(5, int32),
  terminatingReplicas: pointer(7, int32),
  observedGeneration: optional(3, int64),
  conditions: optional(6, listMap(ReplicaSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ReplicaSetStatus extends Static<typeof ReplicaSetStatus> {}

export const ReplicaSet = kind(
  'extensions/v1beta1.ReplicaSet',
  'extensions/v1beta1',
  { plural: 'replicasets', shortNames: ['rs'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, ReplicaSetSpec),
    status: optional(3, ReplicaSetStatus),
  },
  {
    defaults: [inheritTemplateLabels, defaultTemplate],
    columns: replicaSetColumns,
  },
);
export interface ReplicaSet extends Static<typeof ReplicaSet> {}
