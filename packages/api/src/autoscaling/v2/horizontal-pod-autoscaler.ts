import {
  always,
  atomicList,
  int32,
  int64,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  quantity,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultAutoscaler } from './horizontal-pod-autoscaler-defaults.ts';
import { autoscalerColumns } from './horizontal-pod-autoscaler-columns.ts';
import { validateAutoscaler, validateAutoscalerStatus } from '../autoscaler-validation.ts';

export const MetricTarget = struct('autoscaling/v2.MetricTarget', {
  type: always(1, named('v2.MetricTargetType', string), { required: true }),
  value: pointer(2, quantity),
  averageValue: pointer(3, quantity),
  averageUtilization: pointer(4, int32),
});
export interface MetricTarget extends Static<typeof MetricTarget> {}

export const ContainerResourceMetricSource = struct('autoscaling/v2.ContainerResourceMetricSource', {
  name: always(1, named('v1.ResourceName', string), { required: true }),
  target: always(2, MetricTarget, { required: true }),
  container: always(3, string, { required: true }),
});
export interface ContainerResourceMetricSource extends Static<typeof ContainerResourceMetricSource> {}

export const MetricValueStatus = struct('autoscaling/v2.MetricValueStatus', {
  value: pointer(1, quantity),
  averageValue: pointer(2, quantity),
  averageUtilization: pointer(3, int32),
});
export interface MetricValueStatus extends Static<typeof MetricValueStatus> {}

export const ContainerResourceMetricStatus = struct('autoscaling/v2.ContainerResourceMetricStatus', {
  name: always(1, named('v1.ResourceName', string), { required: true }),
  current: always(2, MetricValueStatus, { required: true }),
  container: always(3, string, { required: true }),
});
export interface ContainerResourceMetricStatus extends Static<typeof ContainerResourceMetricStatus> {}

export const CrossVersionObjectReference = struct('autoscaling/v2.CrossVersionObjectReference', {
  kind: always(1, string, { required: true }),
  name: always(2, string, { required: true }),
  apiVersion: optional(3, string, { go: 'APIVersion' }),
});
export interface CrossVersionObjectReference extends Static<typeof CrossVersionObjectReference> {}

export const MetricIdentifier = struct('autoscaling/v2.MetricIdentifier', {
  name: always(1, string, { required: true }),
  selector: pointer(2, LabelSelector),
});
export interface MetricIdentifier extends Static<typeof MetricIdentifier> {}

export const ExternalMetricSource = struct('autoscaling/v2.ExternalMetricSource', {
  metric: always(1, MetricIdentifier, { required: true }),
  target: always(2, MetricTarget, { required: true }),
});
export interface ExternalMetricSource extends Static<typeof ExternalMetricSource> {}

export const ExternalMetricStatus = struct('autoscaling/v2.ExternalMetricStatus', {
  metric: always(1, MetricIdentifier, { required: true }),
  current: always(2, MetricValueStatus, { required: true }),
});
export interface ExternalMetricStatus extends Static<typeof ExternalMetricStatus> {}

export const HPAScalingPolicy = struct('autoscaling/v2.HPAScalingPolicy', {
  type: always(1, named('v2.HPAScalingPolicyType', string), { required: true }),
  value: always(2, int32, { required: true }),
  periodSeconds: always(3, int32, { required: true }),
});
export interface HPAScalingPolicy extends Static<typeof HPAScalingPolicy> {}

export const HPAScalingRules = struct('autoscaling/v2.HPAScalingRules', {
  stabilizationWindowSeconds: pointer(3, int32),
  selectPolicy: pointer(1, named('v2.ScalingPolicySelect', string)),
  // An empty list is not the absence of one, which would mean the defaults: it is refused.
  policies: optional(2, atomicList(HPAScalingPolicy), { keepEmpty: true }),
  tolerance: pointer(4, quantity, { gate: 'HPAConfigurableTolerance' }),
});
export interface HPAScalingRules extends Static<typeof HPAScalingRules> {}

export const ObjectMetricSource = struct('autoscaling/v2.ObjectMetricSource', {
  describedObject: always(1, CrossVersionObjectReference, { required: true }),
  target: always(2, MetricTarget, { required: true }),
  metric: always(3, MetricIdentifier, { required: true }),
});
export interface ObjectMetricSource extends Static<typeof ObjectMetricSource> {}

export const PodsMetricSource = struct('autoscaling/v2.PodsMetricSource', {
  metric: always(1, MetricIdentifier, { required: true }),
  target: always(2, MetricTarget, { required: true }),
});
export interface PodsMetricSource extends Static<typeof PodsMetricSource> {}

export const ResourceMetricSource = struct('autoscaling/v2.ResourceMetricSource', {
  name: always(1, named('v1.ResourceName', string), { required: true }),
  target: always(2, MetricTarget, { required: true }),
});
export interface ResourceMetricSource extends Static<typeof ResourceMetricSource> {}

export const MetricSpec = struct('autoscaling/v2.MetricSpec', {
  type: always(1, named('v2.MetricSourceType', string), { required: true }),
  object: pointer(2, ObjectMetricSource),
  pods: pointer(3, PodsMetricSource),
  resource: pointer(4, ResourceMetricSource),
  containerResource: pointer(7, ContainerResourceMetricSource),
  external: pointer(5, ExternalMetricSource),
});
export interface MetricSpec extends Static<typeof MetricSpec> {}

export const HorizontalPodAutoscalerBehavior = struct('autoscaling/v2.HorizontalPodAutoscalerBehavior', {
  scaleUp: pointer(1, HPAScalingRules),
  scaleDown: pointer(2, HPAScalingRules),
});
export interface HorizontalPodAutoscalerBehavior extends Static<typeof HorizontalPodAutoscalerBehavior> {}

export const HorizontalPodAutoscalerSpec = struct('autoscaling/v2.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: always(1, CrossVersionObjectReference, { required: true }),
  minReplicas: pointer(2, int32, { default: 1 }),
  maxReplicas: always(3, int32, { required: true }),
  metrics: optional(4, atomicList(MetricSpec)),
  behavior: pointer(5, HorizontalPodAutoscalerBehavior),
});
export interface HorizontalPodAutoscalerSpec extends Static<typeof HorizontalPodAutoscalerSpec> {}

export const ObjectMetricStatus = struct('autoscaling/v2.ObjectMetricStatus', {
  metric: always(1, MetricIdentifier, { required: true }),
  current: always(2, MetricValueStatus, { required: true }),
  describedObject: always(3, CrossVersionObjectReference, { required: true }),
});
export interface ObjectMetricStatus extends Static<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = struct('autoscaling/v2.PodsMetricStatus', {
  metric: always(1, MetricIdentifier, { required: true }),
  current: always(2, MetricValueStatus, { required: true }),
});
export interface PodsMetricStatus extends Static<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = struct('autoscaling/v2.ResourceMetricStatus', {
  name: always(1, named('v1.ResourceName', string), { required: true }),
  current: always(2, MetricValueStatus, { required: true }),
});
export interface ResourceMetricStatus extends Static<typeof ResourceMetricStatus> {}

export const MetricStatus = struct('autoscaling/v2.MetricStatus', {
  type: always(1, named('v2.MetricSourceType', string), { required: true }),
  object: pointer(2, ObjectMetricStatus),
  pods: pointer(3, PodsMetricStatus),
  resource: pointer(4, ResourceMetricStatus),
  containerResource: pointer(7, ContainerResourceMetricStatus),
  external: pointer(5, ExternalMetricStatus),
});
export interface MetricStatus extends Static<typeof MetricStatus> {}

export const HorizontalPodAutoscalerCondition = struct('autoscaling/v2.HorizontalPodAutoscalerCondition', {
  type: always(1, named('v2.HorizontalPodAutoscalerConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
});
export interface HorizontalPodAutoscalerCondition extends Static<typeof HorizontalPodAutoscalerCondition> {}

export const HorizontalPodAutoscalerStatus = struct('autoscaling/v2.HorizontalPodAutoscalerStatus', {
  observedGeneration: pointer(1, int64),
  lastScaleTime: pointer(2, time),
  currentReplicas: optional(3, int32),
  desiredReplicas: always(4, int32, { required: true }),
  currentMetrics: always(5, atomicList(MetricStatus)),
  conditions: optional(6, listMap(HorizontalPodAutoscalerCondition, ['type']), {
    patch: 'merge',
    patchKey: 'type',
  }),
});
export interface HorizontalPodAutoscalerStatus extends Static<typeof HorizontalPodAutoscalerStatus> {}

export const HorizontalPodAutoscaler = kind(
  'autoscaling/v2.HorizontalPodAutoscaler',
  'autoscaling/v2',
  { plural: 'horizontalpodautoscalers', shortNames: ['hpa'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, HorizontalPodAutoscalerSpec, { required: true }),
    status: optional(3, HorizontalPodAutoscalerStatus),
  },
  {
    defaults: [defaultAutoscaler],
    validate: validateAutoscaler,
    validateStatus: validateAutoscalerStatus,
    columns: autoscalerColumns,
  },
);
export interface HorizontalPodAutoscaler extends Static<typeof HorizontalPodAutoscaler> {}
