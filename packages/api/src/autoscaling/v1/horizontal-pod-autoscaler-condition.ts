import * as t from '@coxswain/schema';

export const HorizontalPodAutoscalerCondition = t.struct('autoscaling/v1.HorizontalPodAutoscalerCondition', {
  type: t.always(1, t.named('v1.HorizontalPodAutoscalerConditionType', t.string)),
  status: t.always(2, t.named('v1.ConditionStatus', t.string)),
  lastTransitionTime: t.optional(3, t.time),
  reason: t.optional(4, t.string),
  message: t.optional(5, t.string),
});
export interface HorizontalPodAutoscalerCondition extends t.Static<typeof HorizontalPodAutoscalerCondition> {}
