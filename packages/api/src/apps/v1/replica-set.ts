import {
  always,
  int32,
  int64,
  kind,
  listMap,
  nullable,
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
import { defaultTemplate } from '../workload-defaults.ts';
import { replicaSetColumns } from '../workload-columns.ts';
import { validateReplicaSet, validateReplicaSetStatus } from '../workload-validation.ts';
import { workloadWarnings } from '../workload-warnings.ts';

export const ReplicaSetSpec = struct('apps/v1.ReplicaSetSpec', {
  replicas: pointer(1, int32, { default: 1 }),
  minReadySeconds: optional(4, int32),
  selector: nullable(2, LabelSelector, { required: true }),
  template: optional(3, PodTemplateSpec),
});
export interface ReplicaSetSpec extends Static<typeof ReplicaSetSpec> {}

export const ReplicaSetCondition = struct('apps/v1.ReplicaSetCondition', {
  type: always(1, named('v1.ReplicaSetConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface ReplicaSetCondition extends Static<typeof ReplicaSetCondition> {}

export const ReplicaSetStatus = struct('apps/v1.ReplicaSetStatus', {
  replicas: always(1, int32, { required: true }),
  fullyLabeledReplicas: optional(2, int32),
  readyReplicas: optional(4, int32),
  availableReplicas: optional(5, int32),
  terminatingReplicas: pointer(7, int32),
  observedGeneration: optional(3, int64),
  conditions: optional(6, listMap(ReplicaSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ReplicaSetStatus extends Static<typeof ReplicaSetStatus> {}

export const ReplicaSet = kind(
  'apps/v1.ReplicaSet',
  'apps/v1',
  { plural: 'replicasets', shortNames: ['rs'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, ReplicaSetSpec),
    status: optional(3, ReplicaSetStatus),
  },
  {
    defaults: [defaultTemplate],
    validate: validateReplicaSet,
    validateStatus: validateReplicaSetStatus,
    warnings: workloadWarnings,
    columns: replicaSetColumns,
  },
);
export interface ReplicaSet extends Static<typeof ReplicaSet> {}
