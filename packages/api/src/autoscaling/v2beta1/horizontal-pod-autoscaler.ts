import {
  always,
  atomicList,
  int32,
  int64,
  kind,
  ObjectMeta,
  optional,
  pointer,
  quantity,
  string,
  struct,
  time,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import type { SpecObject } from '../../meta/kind-object.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const ContainerResourceMetricSource = struct('autoscaling/v2beta1.ContainerResourceMetricSource', {
  name: always(1, string),
  targetAverageUtilization: pointer(2, int32),
  targetAverageValue: pointer(3, quantity),
  container: always(4, string),
});
export interface ContainerResourceMetricSource extends Static<typeof ContainerResourceMetricSource> {}

export const ContainerResourceMetricStatus = struct('autoscaling/v2beta1.ContainerResourceMetricStatus', {
  name: always(1, string),
  currentAverageUtilization: pointer(2, int32),
  currentAverageValue: always(3, quantity),
  container: always(4, string),
});
export interface ContainerResourceMetricStatus extends Static<typeof ContainerResourceMetricStatus> {}

export const CrossVersionObjectReference = struct('autoscaling/v2beta1.CrossVersionObjectReference', {
  kind: always(1, string),
  name: always(2, string),
  apiVersion: optional(3, string, { go: 'APIVersion' }),
});
export interface CrossVersionObjectReference extends Static<typeof CrossVersionObjectReference> {}

export const ExternalMetricSource = struct('autoscaling/v2beta1.ExternalMetricSource', {
  metricName: always(1, string),
  metricSelector: pointer(2, LabelSelector),
  targetValue: pointer(3, quantity),
  targetAverageValue: pointer(4, quantity),
});
export interface ExternalMetricSource extends Static<typeof ExternalMetricSource> {}

export const ExternalMetricStatus = struct('autoscaling/v2beta1.ExternalMetricStatus', {
  metricName: always(1, string),
  metricSelector: pointer(2, LabelSelector),
  currentValue: always(3, quantity),
  currentAverageValue: pointer(4, quantity),
});
export interface ExternalMetricStatus extends Static<typeof ExternalMetricStatus> {}

export const ObjectMetricSource = struct('autoscaling/v2beta1.ObjectMetricSource', {
  target: always(1, CrossVersionObjectReference),
  metricName: always(2, string),
  targetValue: always(3, quantity),
  selector: pointer(4, LabelSelector),
  averageValue: pointer(5, quantity),
});
export interface ObjectMetricSource extends Static<typeof ObjectMetricSource> {}

export const PodsMetricSource = struct('autoscaling/v2beta1.PodsMetricSource', {
  metricName: always(1, string),
  targetAverageValue: always(2, quantity),
  selector: pointer(3, LabelSelector),
});
export interface PodsMetricSource extends Static<typeof PodsMetricSource> {}

export const ResourceMetricSource = struct('autoscaling/v2beta1.ResourceMetricSource', {
  name: always(1, string),
  targetAverageUtilization: pointer(2, int32),
  targetAverageValue: pointer(3, quantity),
});
export interface ResourceMetricSource extends Static<typeof ResourceMetricSource> {}

export const MetricSpec = struct('autoscaling/v2beta1.MetricSpec', {
  type: always(1, string),
  object: pointer(2, ObjectMetricSource),
  pods: pointer(3, PodsMetricSource),
  resource: pointer(4, ResourceMetricSource),
  containerResource: pointer(7, ContainerResourceMetricSource),
  external: pointer(5, ExternalMetricSource),
});
export interface MetricSpec extends Static<typeof MetricSpec> {}

export const HorizontalPodAutoscalerSpec = struct('autoscaling/v2beta1.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: always(1, CrossVersionObjectReference),
  minReplicas: pointer(2, int32, { default: 1 }),
  maxReplicas: always(3, int32),
  metrics: optional(4, atomicList(MetricSpec)),
});
export interface HorizontalPodAutoscalerSpec extends Static<typeof HorizontalPodAutoscalerSpec> {}

export const ObjectMetricStatus = struct('autoscaling/v2beta1.ObjectMetricStatus', {
  target: always(1, CrossVersionObjectReference),
  metricName: always(2, string),
  currentValue: always(3, quantity),
  selector: pointer(4, LabelSelector),
  averageValue: pointer(5, quantity),
});
export interface ObjectMetricStatus extends Static<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = struct('autoscaling/v2beta1.PodsMetricStatus', {
  metricName: always(1, string),
  currentAverageValue: always(2, quantity),
  selector: pointer(3, LabelSelector),
});
export interface PodsMetricStatus extends Static<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = struct('autoscaling/v2beta1.ResourceMetricStatus', {
  name: always(1, string),
  currentAverageUtilization: pointer(2, int32),
  currentAverageValue: always(3, quantity),
});
export interface ResourceMetricStatus extends Static<typeof ResourceMetricStatus> {}

export const MetricStatus = struct('autoscaling/v2beta1.MetricStatus', {
  type: always(1, string),
  object: pointer(2, ObjectMetricStatus),
  pods: pointer(3, PodsMetricStatus),
  resource: pointer(4, ResourceMetricStatus),
  containerResource: pointer(7, ContainerResourceMetricStatus),
  external: pointer(5, ExternalMetricStatus),
});
export interface MetricStatus extends Static<typeof MetricStatus> {}

export const HorizontalPodAutoscalerCondition = struct(
  'autoscaling/v2beta1.HorizontalPodAutoscalerCondition',
  {
    type: always(1, string),
    status: always(2, string),
    lastTransitionTime: optional(3, time),
    reason: optional(4, string),
    message: optional(5, string),
  },
);
export interface HorizontalPodAutoscalerCondition extends Static<typeof HorizontalPodAutoscalerCondition> {}

export const HorizontalPodAutoscalerStatus = struct('autoscaling/v2beta1.HorizontalPodAutoscalerStatus', {
  observedGeneration: pointer(1, int64),
  lastScaleTime: pointer(2, time),
  currentReplicas: always(3, int32),
  desiredReplicas: always(4, int32),
  currentMetrics: always(5, atomicList(MetricStatus)),
  conditions: always(6, atomicList(HorizontalPodAutoscalerCondition)),
});
export interface HorizontalPodAutoscalerStatus extends Static<typeof HorizontalPodAutoscalerStatus> {}

export const HorizontalPodAutoscaler = kind(
  'autoscaling/v2beta1.HorizontalPodAutoscaler',
  'autoscaling/v2beta1',
  { plural: 'horizontalpodautoscalers', shortNames: ['hpa'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, HorizontalPodAutoscalerSpec),
    status: optional(3, HorizontalPodAutoscalerStatus),
  },
  { defaults: [defaultMetrics] },
);
export interface HorizontalPodAutoscaler extends Static<typeof HorizontalPodAutoscaler> {}

function defaultMetrics({ spec }: SpecObject<HorizontalPodAutoscalerSpec>): void {
  if ((spec.metrics ?? []).length > 0) return;
  spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 80 } }];
}
