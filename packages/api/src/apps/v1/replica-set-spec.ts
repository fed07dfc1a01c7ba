import * as t from '@coxswain/schema';
import { PodTemplateSpec } from '../../core/v1/pod-template-spec.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const ReplicaSetSpec = t.struct('apps/v1.ReplicaSetSpec', {
  replicas: t.pointer(1, t.int32, { default: 1 }),
  minReadySeconds: t.optional(4, t.int32),
  selector: t.nullable(2, LabelSelector, { required: true }),
  template: t.optional(3, PodTemplateSpec),
});
export interface ReplicaSetSpec extends t.Static<typeof ReplicaSetSpec> {}

export const ReplicaSetCondition = t.struct('apps/v1.ReplicaSetCondition', {
  type: t.always(1, t.named('v1.ReplicaSetConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastTransitionTime: t.optional(3, t.time),
  reason: t.optional(4, t.string),
  message: t.optional(5, t.string),
});
export interface ReplicaSetCondition extends t.Static<typeof ReplicaSetCondition> {}

export const ReplicaSetStatus = t.struct('apps/v1.ReplicaSetStatus', {
  replicas: t.always(1, t.int32, { required: true }),
  fullyLabeledReplicas: t.optional(2, t.int32),
  readyReplicas: t.optional(4, t.int32),
  availableReplicas: t.optional(5, t.int32),
  terminatingReplicas: t.pointer(7, t.int32, { gate: 'DeploymentReplicaSetTerminatingReplicas' }),
  observedGeneration: t.optional(3, t.int64),
  conditions: t.optional(6, t.listMap(ReplicaSetCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ReplicaSetStatus extends t.Static<typeof ReplicaSetStatus> {}
