import { always, int32, int64, kind, ObjectMeta, optional, pointer, struct, time } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { CrossVersionObjectReference } from './cross-version-object-reference.ts';

export const HorizontalPodAutoscalerSpec = struct('autoscaling/v1.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: always(1, CrossVersionObjectReference, { required: true }),
  minReplicas: pointer(2, int32, { default: 1 }),
  maxReplicas: always(3, int32, { required: true }),
  targetCPUUtilizationPercentage: pointer(4, int32),
});
export interface HorizontalPodAutoscalerSpec extends Static<typeof HorizontalPodAutoscalerSpec> {}

export const HorizontalPodAutoscalerStatus = struct('autoscaling/v1.HorizontalPodAutoscalerStatus', {
  observedGeneration: pointer(1, int64),
  lastScaleTime: pointer(2, time),
  currentReplicas: always(3, int32, { required: true }),
  desiredReplicas: always(4, int32, { required: true }),
  currentCPUUtilizationPercentage: pointer(5, int32),
});
export interface HorizontalPodAutoscalerStatus extends Static<typeof HorizontalPodAutoscalerStatus> {}

export const HorizontalPodAutoscaler = kind(
  'autoscaling/v1.HorizontalPodAutoscaler',
  'autoscaling/v1',
  { plural: 'horizontalpodautoscalers', shortNames: ['hpa'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, HorizontalPodAutoscalerSpec, { required: true }),
    status: optional(3, HorizontalPodAutoscalerStatus),
  },
);
export interface HorizontalPodAutoscaler extends Static<typeof HorizontalPodAutoscaler> {}
