import * as t from '@coxswain/schema';
import { CrossVersionObjectReference, MetricSpec } from './metric-spec.ts';

export const HPAScalingPolicy = t.struct('autoscaling/v2.HPAScalingPolicy', {
  type: t.always(1, t.named('v2.HPAScalingPolicyType', t.string), { required: true }),
  value: t.always(2, t.int32, { required: true }),
  periodSeconds: t.always(3, t.int32, { required: true }),
});
export interface HPAScalingPolicy extends t.Static<typeof HPAScalingPolicy> {}

export const HPAScalingRules = t.struct('autoscaling/v2.HPAScalingRules', {
  stabilizationWindowSeconds: t.pointer(3, t.int32),
  selectPolicy: t.pointer(1, t.named('v2.ScalingPolicySelect', t.string)),
  // An empty list differs from an absent one, which would get the defaults: it is refused.
  policies: t.optional(2, t.atomicList(HPAScalingPolicy), { keepEmpty: true }),
  tolerance: t.pointer(4, t.quantity, { gate: 'HPAConfigurableTolerance' }),
});
export interface HPAScalingRules extends t.Static<typeof HPAScalingRules> {}

export const HorizontalPodAutoscalerBehavior = t.struct('autoscaling/v2.HorizontalPodAutoscalerBehavior', {
  scaleUp: t.pointer(1, HPAScalingRules),
  scaleDown: t.pointer(2, HPAScalingRules),
});
export interface HorizontalPodAutoscalerBehavior extends t.Static<typeof HorizontalPodAutoscalerBehavior> {}

export const HorizontalPodAutoscalerSpec = t.struct('autoscaling/v2.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: t.always(1, CrossVersionObjectReference, { required: true }),
  minReplicas: t.pointer(2, t.int32, { default: 1 }),
  maxReplicas: t.always(3, t.int32, { required: true }),
  metrics: t.optional(4, t.atomicList(MetricSpec)),
  behavior: t.pointer(5, HorizontalPodAutoscalerBehavior),
});
export interface HorizontalPodAutoscalerSpec extends t.Static<typeof HorizontalPodAutoscalerSpec> {}
