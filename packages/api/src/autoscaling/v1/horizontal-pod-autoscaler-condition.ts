import { always, optional, string, struct, time } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const HorizontalPodAutoscalerCondition = struct('autoscaling/v1.HorizontalPodAutoscalerCondition', {
  type: always(1, string),
  status: always(2, string),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface HorizontalPodAutoscalerCondition extends Static<typeof HorizontalPodAutoscalerCondition> {}
