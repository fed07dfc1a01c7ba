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
import { defaultAutoscaler } from '../v2/horizontal-pod-autoscaler-defaults.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const MetricTarget = struct('autoscaling/v2beta2.MetricTarget', {
  type: always(1, string),
  value: pointer(2, quantity),
  averageValue: pointer(3, quantity),
  averageUtilization: pointer(4, int32),
});
export interface MetricTarget extends Static<typeof MetricTarget> {}

export const ContainerResourceMetricSource = struct('autoscaling/v2beta2.ContainerResourceMetricSource', {
  name: always(1, string),
  target: always(2, MetricTarget),
  container: always(3, string),
});
export interface ContainerResourceMetricSource extends Static<typeof ContainerResourceMetricSource> {}

export const MetricValueStatus = struct('autoscaling/v2beta2.MetricValueStatus', {
  value: pointer(1, quantity),
  averageValue: pointer(2, quantity),
  averageUtilization: pointer(3, int32),
});
export interface MetricValueStatus extends Static<typeof MetricValueStatus> {}

export const ContainerResourceMetricStatus = struct('autoscaling/v2beta2.ContainerResourceMetricStatus', {
  name: always(1, string),
  current: always(2, MetricValueStatus),
  container: always(3, string),
});
export interface ContainerResourceMetricStatus extends Static<typeof ContainerResourceMetricStatus> {}

export const CrossVersionObjectReference = struct('autoscaling/v2beta2.CrossVersionObjectReference', {
  kind: always(1, string),
  name: always(2, string),
  apiVersion: optional(3, string, { go: 'APIVersion' }),
});
export interface CrossVersionObjectReference extends Static<typeof CrossVersionObjectReference> {}

export const MetricIdentifier = struct('autoscaling/v2beta2.MetricIdentifier', {
  name: always(1, string),
  selector: pointer(2, LabelSelector),
});
export interface MetricIdentifier extends Static<typeof MetricIdentifier> {}

export const ExternalMetricSource = struct('autoscaling/v2beta2.ExternalMetricSource', {
  metric: always(1, MetricIdentifier),
  target: always(2, MetricTarget),
});
export interface ExternalMetricSource extends Static<typeof ExternalMetricSource> {}

export const ExternalMetricStatus = struct('autoscaling/v2beta2.ExternalMetricStatus', {
  metric: always(1, MetricIdentifier),
  current: always(2, MetricValueStatus),
});
export interface ExternalMetricStatus extends Static<typeof ExternalMetricStatus> {}

export const HPAScalingPolicy = struct('autoscaling/v2beta2.HPAScalingPolicy', {
  type: always(1, string),
  value: always(2, int32),
  periodSeconds: always(3, int32),
});
export interface HPAScalingPolicy extends Static<typeof HPAScalingPolicy> {}

export const HPAScalingRules = struct('autoscaling/v2beta2.HPAScalingRules', {
  stabilizationWindowSeconds: pointer(3, int32),
  selectPolicy: pointer(1, string),
  policies: optional(2, atomicList(HPAScalingPolicy)),
});
export interface HPAScalingRules extends Static<typeof HPAScalingRules> {}

export const ObjectMetricSource = struct('autoscaling/v2beta2.ObjectMetricSource', {
  describedObject: always(1, CrossVersionObjectReference),
  target: always(2, MetricTarget),
  metric: always(3, MetricIdentifier),
});
export interface ObjectMetricSource extends Static<typeof ObjectMetricSource> {}

export const PodsMetricSource = struct('autoscaling/v2beta2.PodsMetricSource', {
  metric: always(1, MetricIdentifier),
  target: always(2, MetricTarget),
});
export interface PodsMetricSource extends Static<typeof PodsMetricSource> {}

export const ResourceMetricSource = struct('autoscaling/v2beta2.ResourceMetricSource', {
  name: always(1, string),
  target: always(2, MetricTarget),
});
export interface ResourceMetricSource extends Static<typeof ResourceMetricSource> {}

export const MetricSpec = struct('autoscaling/v2beta2.MetricSpec', {
  type: always(1, string),
  object: pointer(2, ObjectMetricSource),
  pods: pointer(3, PodsMetricSource),
  resource: pointer(4, ResourceMetricSource),
  containerResource: pointer(7, ContainerResourceMetricSource),
  external: pointer(5, ExternalMetricSource),
});
export interface MetricSpec extends Static<typeof MetricSpec> {}

export const HorizontalPodAutoscalerBehavior = struct('autoscaling/v2beta2.HorizontalPodAutoscalerBehavior', {
  scaleUp: pointer(1, HPAScalingRules),
  scaleDown: pointer(2, HPAScalingRules),
});
export interface HorizontalPodAutoscalerBehavior extends Static<typeof HorizontalPodAutoscalerBehavior> {}

export const HorizontalPodAutoscalerSpec = struct('autoscaling/v2beta2.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: always(1, CrossVersionObjectReference),
  minReplicas: pointer(2, int32, { default: 1 }),
  maxReplicas: always(3, int32),
  metrics: optional(4, atomicList(MetricSpec)),
  behavior: pointer(5, HorizontalPodAutoscalerBehavior),
});
export interface HorizontalPodAutoscalerSpec extends Static<typeof HorizontalPodAutoscalerSpec> {}

export const ObjectMetricStatus = struct('autoscaling/v2beta2.ObjectMetricStatus', {
  metric: always(1, MetricIdentifier),
  current: always(2, MetricValueStatus),
  describedObject: always(3, CrossVersionObjectReference),
});
export interface ObjectMetricStatus extends Static<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = struct('autoscaling/v2beta2.PodsMetricStatus', {
  metric: always(1, MetricIdentifier),
  current: always(2, MetricValueStatus),
});
export interface PodsMetricStatus extends Static<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = struct('autoscaling/v2beta2.ResourceMetricStatus', {
  name: always(1, string),
  current: always(2, MetricValueStatus),
});
export interface ResourceMetricStatus extends Static<typeof ResourceMetricStatus> {}

export const MetricStatus = struct('autoscaling/v2beta2.MetricStatus', {
  type: always(1, string),
  object: pointer(2, ObjectMetricStatus),
  pods: pointer(3, PodsMetricStatus),
  resource: pointer(4, ResourceMetricStatus),
  containerResource: pointer(7, ContainerResourceMetricStatus),
  external: pointer(5, ExternalMetricStatus),
});
export interface MetricStatus extends Static<typeof MetricStatus> {}

export const HorizontalPodAutoscalerCondition = struct(
  'autoscaling/v2beta2.HorizontalPodAutoscalerCondition',
  {
    type: always(1, string),
    status: always(2, string),
    lastTransitionTime: optional(3, time),
    reason: optional(4, string),
    message: optional(5, string),
  },
);
export interface HorizontalPodAutoscalerCondition extends Static<typeof HorizontalPodAutoscalerCondition> {}

export const HorizontalPodAutoscalerStatus = struct('autoscaling/v2beta2.HorizontalPodAutoscalerStatus', {
  observedGeneration: pointer(1, int64),
  lastScaleTime: pointer(2, time),
  currentReplicas: always(3, int32),
  desiredReplicas: always(4, int32),
  currentMetrics: always(5, atomicList(MetricStatus)),
  conditions: always(6, atomicList(HorizontalPodAutoscalerCondition)),
});
export interface HorizontalPodAutoscalerStatus extends Static<typeof HorizontalPodAutoscalerStatus> {}

export const HorizontalPodAutoscaler = kind(
  'autoscaling/v2beta2.HorizontalPodAutoscaler',
  'autoscaling/v2beta2',
  { plural: 'horizontalpodautoscalers', shortNames: ['hpa'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, HorizontalPodAutoscalerSpec),
    status: optional(3, HorizontalPodAutoscalerStatus),
  },
  { defaults: [defaultAutoscaler] },
);
export interface HorizontalPodAutoscaler extends Static<typeof HorizontalPodAutoscaler> {}
