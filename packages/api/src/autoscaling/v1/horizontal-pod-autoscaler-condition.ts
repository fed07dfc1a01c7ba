import { always, optional, string, struct, time, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const HorizontalPodAutoscalerCondition = struct('autoscaling/v1.HorizontalPodAutoscalerCondition', {
  type: always(1, named('v1.HorizontalPodAutoscalerConditionType', string)),
  status: always(2, named('v1.ConditionStatus', string)),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface HorizontalPodAutoscalerCondition extends Static<typeof HorizontalPodAutoscalerCondition> {}
