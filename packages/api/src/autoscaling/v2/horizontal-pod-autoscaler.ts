import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultAutoscaler } from './horizontal-pod-autoscaler-defaults.ts';
import { autoscalerColumns } from './horizontal-pod-autoscaler-columns.ts';
import { validateAutoscaler, validateAutoscalerStatus } from '../autoscaler-validation.ts';

export const MetricTarget = t.struct('autoscaling/v2.MetricTarget', {
  type: t.always(1, t.named('v2.MetricTargetType', t.string), { required: true }),
  value: t.pointer(2, t.quantity),
  averageValue: t.pointer(3, t.quantity),
  averageUtilization: t.pointer(4, t.int32),
});
export interface MetricTarget extends t.Static<typeof MetricTarget> {}

export const ContainerResourceMetricSource = t.struct('autoscaling/v2.ContainerResourceMetricSource', {
  name: t.always(1, t.named('v1.ResourceName', t.string), { required: true }),
  target: t.always(2, MetricTarget, { required: true }),
  container: t.always(3, t.string, { required: true }),
});
export interface ContainerResourceMetricSource extends t.Static<typeof ContainerResourceMetricSource> {}

export const MetricValueStatus = t.struct('autoscaling/v2.MetricValueStatus', {
  value: t.pointer(1, t.quantity),
  averageValue: t.pointer(2, t.quantity),
  averageUtilization: t.pointer(3, t.int32),
});
export interface MetricValueStatus extends t.Static<typeof MetricValueStatus> {}

export const ContainerResourceMetricStatus = t.struct('autoscaling/v2.ContainerResourceMetricStatus', {
  name: t.always(1, t.named('v1.ResourceName', t.string), { required: true }),
  current: t.always(2, MetricValueStatus, { required: true }),
  container: t.always(3, t.string, { required: true }),
});
export interface ContainerResourceMetricStatus extends t.Static<typeof ContainerResourceMetricStatus> {}

export const CrossVersionObjectReference = t.struct('autoscaling/v2.CrossVersionObjectReference', {
  kind: t.always(1, t.string, { required: true }),
  name: t.always(2, t.string, { required: true }),
  apiVersion: t.optional(3, t.string, { go: 'APIVersion' }),
});
export interface CrossVersionObjectReference extends t.Static<typeof CrossVersionObjectReference> {}

export const MetricIdentifier = t.struct('autoscaling/v2.MetricIdentifier', {
  name: t.always(1, t.string, { required: true }),
  selector: t.pointer(2, LabelSelector),
});
export interface MetricIdentifier extends t.Static<typeof MetricIdentifier> {}

export const ExternalMetricSource = t.struct('autoscaling/v2.ExternalMetricSource', {
  metric: t.always(1, MetricIdentifier, { required: true }),
  target: t.always(2, MetricTarget, { required: true }),
});
export interface ExternalMetricSource extends t.Static<typeof ExternalMetricSource> {}

export const ExternalMetricStatus = t.struct('autoscaling/v2.ExternalMetricStatus', {
  metric: t.always(1, MetricIdentifier, { required: true }),
  current: t.always(2, MetricValueStatus, { required: true }),
});
export interface ExternalMetricStatus extends t.Static<typeof ExternalMetricStatus> {}

export const HPAScalingPolicy = t.struct('autoscaling/v2.HPAScalingPolicy', {
  type: t.always(1, t.named('v2.HPAScalingPolicyType', t.string), { required: true }),
  value: t.always(2, t.int32, { required: true }),
  periodSeconds: t.always(3, t.int32, { required: true }),
});
export interface HPAScalingPolicy extends t.Static<typeof HPAScalingPolicy> {}

export const HPAScalingRules = t.struct('autoscaling/v2.HPAScalingRules', {
  stabilizationWindowSeconds: t.pointer(3, t.int32),
  selectPolicy: t.pointer(1, t.named('v2.ScalingPolicySelect', t.string)),
  // An empty list is not the absence of one, which would mean the defaults: it is refused.
  policies: t.optional(2, t.atomicList(HPAScalingPolicy), { keepEmpty: true }),
  tolerance: t.pointer(4, t.quantity, { gate: 'HPAConfigurableTolerance' }),
});
export interface HPAScalingRules extends t.Static<typeof HPAScalingRules> {}

export const ObjectMetricSource = t.struct('autoscaling/v2.ObjectMetricSource', {
  describedObject: t.always(1, CrossVersionObjectReference, { required: true }),
  target: t.always(2, MetricTarget, { required: true }),
  metric: t.always(3, MetricIdentifier, { required: true }),
});
export interface ObjectMetricSource extends t.Static<typeof ObjectMetricSource> {}

export const PodsMetricSource = t.struct('autoscaling/v2.PodsMetricSource', {
  metric: t.always(1, MetricIdentifier, { required: true }),
  target: t.always(2, MetricTarget, { required: true }),
});
export interface PodsMetricSource extends t.Static<typeof PodsMetricSource> {}

export const ResourceMetricSource = t.struct('autoscaling/v2.ResourceMetricSource', {
  name: t.always(1, t.named('v1.ResourceName', t.string), { required: true }),
  target: t.always(2, MetricTarget, { required: true }),
});
export interface ResourceMetricSource extends t.Static<typeof ResourceMetricSource> {}

export const MetricSpec = t.struct('autoscaling/v2.MetricSpec', {
  type: t.always(1, t.named('v2.MetricSourceType', t.string), { required: true }),
  object: t.pointer(2, ObjectMetricSource),
  pods: t.pointer(3, PodsMetricSource),
  resource: t.pointer(4, ResourceMetricSource),
  containerResource: t.pointer(7, ContainerResourceMetricSource),
  external: t.pointer(5, ExternalMetricSource),
});
export interface MetricSpec extends t.Static<typeof MetricSpec> {}

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

export const ObjectMetricStatus = t.struct('autoscaling/v2.ObjectMetricStatus', {
  metric: t.always(1, MetricIdentifier, { required: true }),
  current: t.always(2, MetricValueStatus, { required: true }),
  describedObject: t.always(3, CrossVersionObjectReference, { required: true }),
});
export interface ObjectMetricStatus extends t.Static<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = t.struct('autoscaling/v2.PodsMetricStatus', {
  metric: t.always(1, MetricIdentifier, { required: true }),
  current: t.always(2, MetricValueStatus, { required: true }),
});
export interface PodsMetricStatus extends t.Static<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = t.struct('autoscaling/v2.ResourceMetricStatus', {
  name: t.always(1, t.named('v1.ResourceName', t.string), { required: true }),
  current: t.always(2, MetricValueStatus, { required: true }),
});
export interface ResourceMetricStatus extends t.Static<typeof ResourceMetricStatus> {}

export const MetricStatus = t.struct('autoscaling/v2.MetricStatus', {
  type: t.always(1, t.named('v2.MetricSourceType', t.string), { required: true }),
  object: t.pointer(2, ObjectMetricStatus),
  pods: t.pointer(3, PodsMetricStatus),
  resource: t.pointer(4, ResourceMetricStatus),
  containerResource: t.pointer(7, ContainerResourceMetricStatus),
  external: t.pointer(5, ExternalMetricStatus),
});
export interface MetricStatus extends t.Static<typeof MetricStatus> {}

export const HorizontalPodAutoscalerCondition = t.struct('autoscaling/v2.HorizontalPodAutoscalerCondition', {
  type: t.always(1, t.named('v2.HorizontalPodAutoscalerConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastTransitionTime: t.optional(3, t.time),
  reason: t.optional(4, t.string),
  message: t.optional(5, t.string),
});
export interface HorizontalPodAutoscalerCondition extends t.Static<typeof HorizontalPodAutoscalerCondition> {}

export const HorizontalPodAutoscalerStatus = t.struct('autoscaling/v2.HorizontalPodAutoscalerStatus', {
  observedGeneration: t.pointer(1, t.int64),
  lastScaleTime: t.pointer(2, t.time),
  currentReplicas: t.optional(3, t.int32),
  desiredReplicas: t.always(4, t.int32, { required: true }),
  currentMetrics: t.always(5, t.atomicList(MetricStatus)),
  conditions: t.optional(6, t.listMap(HorizontalPodAutoscalerCondition, ['type']), {
    patch: 'merge',
    patchKey: 'type',
  }),
});
export interface HorizontalPodAutoscalerStatus extends t.Static<typeof HorizontalPodAutoscalerStatus> {}

export const HorizontalPodAutoscaler = t.kind(
  'autoscaling/v2.HorizontalPodAutoscaler',
  'autoscaling/v2',
  { plural: 'horizontalpodautoscalers', shortNames: ['hpa'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, HorizontalPodAutoscalerSpec, { required: true }),
    status: t.optional(3, HorizontalPodAutoscalerStatus),
  },
  {
    defaults: [defaultAutoscaler],
    validate: validateAutoscaler,
    validateStatus: validateAutoscalerStatus,
    columns: autoscalerColumns,
  },
);
export interface HorizontalPodAutoscaler extends t.Static<typeof HorizontalPodAutoscaler> {}
