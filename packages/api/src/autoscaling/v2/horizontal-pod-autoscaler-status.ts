import * as t from '@coxswain/schema';
import { MetricStatus } from './metric-status.ts';

export const HorizontalPodAutoscalerCondition = t.struct('autoscaling/v2.HorizontalPodAutoscalerCondition', {
  type: t.always(1, t.named('v2.HorizontalPodAutoscalerConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastTransitionTime: t.optional(3, t.time),
  reason: t.optional(4, t.string),
  message: t.optional(5, t.string),
});
export interface HorizontalPodAutoscalerCondition extends t.Static<typeof HorizontalPodAutoscalerCondition> {}

export const HorizontalPodAutoscalerStatus = t.struct('autoscaling/v2.HorizontalPodAutoscalerStatus', {
  observedGeneration: t.pointer(1, t.int64),
  lastScaleTime: t.pointer(2, t.time),
  currentReplicas: t.optional(3, t.int32),
  desiredReplicas: t.always(4, t.int32, { required: true }),
  currentMetrics: t.always(5, t.atomicList(MetricStatus)),
  conditions: t.optional(6, t.listMap(HorizontalPodAutoscalerCondition, ['type']), {
    patch: 'merge',
    patchKey: 'type',
  }),
});
export interface HorizontalPodAutoscalerStatus extends t.Static<typeof HorizontalPodAutoscalerStatus> {}
