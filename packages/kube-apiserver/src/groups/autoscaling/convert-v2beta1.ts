/** autoscaling/v2beta1 has metrics in the form of v1's annotations, and the behavior in an annotation. */
import { HorizontalPodAutoscaler } from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler.ts';
import type { HorizontalPodAutoscalerStatus } from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler-status.ts';
import type { HorizontalPodAutoscalerSpec } from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler-spec.ts';
import {
  HorizontalPodAutoscaler as V2beta1,
  type HorizontalPodAutoscalerSpec as OldSpec,
  type HorizontalPodAutoscalerStatus as OldStatus,
} from '@coxswain/api/autoscaling/v2beta1.ts';
import { annotate, changing } from '../conversion.ts';
import { as } from '../any-object.ts';
import { behaviorFromAnnotation, behaviorToAnnotation } from './behavior-annotation.ts';
import { metricFromV1, metricToV1 } from './convert-metric-spec.ts';
import { metricStatusFromV1, metricStatusToV1 } from './convert-metric-status.ts';

const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';

export const autoscalerV2beta1Conversion = changing(HorizontalPodAutoscaler, V2beta1, {
  toStorage(autoscaler) {
    const { metrics, ...spec } = autoscaler.spec as OldSpec;
    const behavior = behaviorFromAnnotation(autoscaler.metadata.annotations?.[behaviorAnnotation]);
    annotate(autoscaler, behaviorAnnotation, undefined);
    autoscaler.spec = {
      ...spec,
      ...(metrics && { metrics: metrics.map(metricFromV1) }),
      ...(behavior && { behavior }),
    };
    const { currentMetrics, ...status } = (autoscaler.status ?? {}) as OldStatus;
    autoscaler.status = { ...status, currentMetrics: as(currentMetrics?.map(metricStatusFromV1) ?? null) };
  },
  fromStorage(autoscaler) {
    const { metrics, behavior, ...spec } = autoscaler.spec as HorizontalPodAutoscalerSpec;
    annotate(autoscaler, behaviorAnnotation, behavior && behaviorToAnnotation(behavior));
    autoscaler.spec = { ...spec, ...(metrics && { metrics: metrics.map(metricToV1) }) };
    const { currentMetrics, conditions, ...status } = (autoscaler.status ??
      {}) as HorizontalPodAutoscalerStatus;
    autoscaler.status = {
      ...status,
      currentMetrics: as(currentMetrics?.map(metricStatusToV1) ?? null),
      conditions: as(conditions ?? null),
    };
  },
});
