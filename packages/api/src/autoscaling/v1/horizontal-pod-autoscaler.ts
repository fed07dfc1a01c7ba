import * as t from '@coxswain/schema';
import { CrossVersionObjectReference } from './cross-version-object-reference.ts';

export const HorizontalPodAutoscalerSpec = t.struct('autoscaling/v1.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: t.always(1, CrossVersionObjectReference, { required: true }),
  minReplicas: t.pointer(2, t.int32, { default: 1 }),
  maxReplicas: t.always(3, t.int32, { required: true }),
  targetCPUUtilizationPercentage: t.pointer(4, t.int32),
});
export interface HorizontalPodAutoscalerSpec extends t.Static<typeof HorizontalPodAutoscalerSpec> {}

export const HorizontalPodAutoscalerStatus = t.struct('autoscaling/v1.HorizontalPodAutoscalerStatus', {
  observedGeneration: t.pointer(1, t.int64),
  lastScaleTime: t.pointer(2, t.time),
  currentReplicas: t.always(3, t.int32, { required: true }),
  desiredReplicas: t.always(4, t.int32, { required: true }),
  currentCPUUtilizationPercentage: t.pointer(5, t.int32),
});
export interface HorizontalPodAutoscalerStatus extends t.Static<typeof HorizontalPodAutoscalerStatus> {}

export const HorizontalPodAutoscaler = t.kind(
  'autoscaling/v1.HorizontalPodAutoscaler',
  'autoscaling/v1',
  { plural: 'horizontalpodautoscalers', shortNames: ['hpa'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, HorizontalPodAutoscalerSpec, { required: true }),
    status: t.optional(3, HorizontalPodAutoscalerStatus),
  },
);
export interface HorizontalPodAutoscaler extends t.Static<typeof HorizontalPodAutoscaler> {}
