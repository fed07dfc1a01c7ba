import * as t from '@coxswain/schema';
import { PodTemplateSpec } from './pod-template-spec.ts';

export const ReplicationControllerSpec = t.struct('core/v1.ReplicationControllerSpec', {
  replicas: t.pointer(1, t.int32, { default: 1, defaultPublished: true }),
  minReadySeconds: t.optional(4, t.int32, { default: 0, defaultPublished: true }),
  selector: t.optional(2, t.atomicMap(t.string)),
  template: t.pointer(3, PodTemplateSpec),
});
export interface ReplicationControllerSpec extends t.Static<typeof ReplicationControllerSpec> {}

export const ReplicationControllerCondition = t.struct('core/v1.ReplicationControllerCondition', {
  type: t.always(1, t.named('v1.ReplicationControllerConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastTransitionTime: t.optional(3, t.time),
  reason: t.optional(4, t.string),
  message: t.optional(5, t.string),
});
export interface ReplicationControllerCondition extends t.Static<typeof ReplicationControllerCondition> {}

export const ReplicationControllerStatus = t.struct('core/v1.ReplicationControllerStatus', {
  replicas: t.always(1, t.int32, { required: true }),
  fullyLabeledReplicas: t.optional(2, t.int32),
  readyReplicas: t.optional(4, t.int32),
  availableReplicas: t.optional(5, t.int32),
  observedGeneration: t.optional(3, t.int64),
  conditions: t.optional(6, t.listMap(ReplicationControllerCondition, ['type']), {
    patch: 'merge',
    patchKey: 'type',
  }),
});
export interface ReplicationControllerStatus extends t.Static<typeof ReplicationControllerStatus> {}
