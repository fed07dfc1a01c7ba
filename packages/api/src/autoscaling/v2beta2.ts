import * as t from '@coxswain/schema';
import { defaultAutoscaler } from './v2/horizontal-pod-autoscaler-defaults.ts';
import * as v2 from './v2/index.ts';

export const MetricTarget = t.structIn('autoscaling/v2beta2', v2.MetricTarget, {
  fields: { type: t.always(1, t.string) },
});
export interface MetricTarget extends t.Static<typeof MetricTarget> {}

export const ContainerResourceMetricSource = t.struct('autoscaling/v2beta2.ContainerResourceMetricSource', {
  name: t.always(1, t.string),
  target: t.always(2, MetricTarget),
  container: t.always(3, t.string),
});
export interface ContainerResourceMetricSource extends t.Static<typeof ContainerResourceMetricSource> {}

export const MetricValueStatus = t.structIn('autoscaling/v2beta2', v2.MetricValueStatus);
export interface MetricValueStatus extends t.Static<typeof MetricValueStatus> {}

export const ContainerResourceMetricStatus = t.struct('autoscaling/v2beta2.ContainerResourceMetricStatus', {
  name: t.always(1, t.string),
  current: t.always(2, MetricValueStatus),
  container: t.always(3, t.string),
});
export interface ContainerResourceMetricStatus extends t.Static<typeof ContainerResourceMetricStatus> {}

export const CrossVersionObjectReference = t.structIn('autoscaling/v2beta2', v2.CrossVersionObjectReference, {
  fields: { kind: t.always(1, t.string), name: t.always(2, t.string) },
});
export interface CrossVersionObjectReference extends t.Static<typeof CrossVersionObjectReference> {}

export const MetricIdentifier = t.structIn('autoscaling/v2beta2', v2.MetricIdentifier, {
  fields: { name: t.always(1, t.string) },
});
export interface MetricIdentifier extends t.Static<typeof MetricIdentifier> {}

export const ExternalMetricSource = t.struct('autoscaling/v2beta2.ExternalMetricSource', {
  metric: t.always(1, MetricIdentifier),
  target: t.always(2, MetricTarget),
});
export interface ExternalMetricSource extends t.Static<typeof ExternalMetricSource> {}

export const ExternalMetricStatus = t.struct('autoscaling/v2beta2.ExternalMetricStatus', {
  metric: t.always(1, MetricIdentifier),
  current: t.always(2, MetricValueStatus),
});
export interface ExternalMetricStatus extends t.Static<typeof ExternalMetricStatus> {}

export const HPAScalingPolicy = t.struct('autoscaling/v2beta2.HPAScalingPolicy', {
  type: t.always(1, t.string),
  value: t.always(2, t.int32),
  periodSeconds: t.always(3, t.int32),
});
export interface HPAScalingPolicy extends t.Static<typeof HPAScalingPolicy> {}

export const HPAScalingRules = t.struct('autoscaling/v2beta2.HPAScalingRules', {
  stabilizationWindowSeconds: t.pointer(3, t.int32),
  selectPolicy: t.pointer(1, t.string),
  policies: t.optional(2, t.atomicList(HPAScalingPolicy)),
});
export interface HPAScalingRules extends t.Static<typeof HPAScalingRules> {}

export const ObjectMetricSource = t.struct('autoscaling/v2beta2.ObjectMetricSource', {
  describedObject: t.always(1, CrossVersionObjectReference),
  target: t.always(2, MetricTarget),
  metric: t.always(3, MetricIdentifier),
});
export interface ObjectMetricSource extends t.Static<typeof ObjectMetricSource> {}

export const PodsMetricSource = t.struct('autoscaling/v2beta2.PodsMetricSource', {
  metric: t.always(1, MetricIdentifier),
  target: t.always(2, MetricTarget),
});
export interface PodsMetricSource extends t.Static<typeof PodsMetricSource> {}

export const ResourceMetricSource = t.struct('autoscaling/v2beta2.ResourceMetricSource', {
  name: t.always(1, t.string),
  target: t.always(2, MetricTarget),
});
export interface ResourceMetricSource extends t.Static<typeof ResourceMetricSource> {}

export const MetricSpec = t.struct('autoscaling/v2beta2.MetricSpec', {
  type: t.always(1, t.string),
  object: t.pointer(2, ObjectMetricSource),
  pods: t.pointer(3, PodsMetricSource),
  resource: t.pointer(4, ResourceMetricSource),
  containerResource: t.pointer(7, ContainerResourceMetricSource),
  external: t.pointer(5, ExternalMetricSource),
});
export interface MetricSpec extends t.Static<typeof MetricSpec> {}

export const HorizontalPodAutoscalerBehavior = t.struct(
  'autoscaling/v2beta2.HorizontalPodAutoscalerBehavior',
  {
    scaleUp: t.pointer(1, HPAScalingRules),
    scaleDown: t.pointer(2, HPAScalingRules),
  },
);
export interface HorizontalPodAutoscalerBehavior extends t.Static<typeof HorizontalPodAutoscalerBehavior> {}

export const HorizontalPodAutoscalerSpec = t.struct('autoscaling/v2beta2.HorizontalPodAutoscalerSpec', {
  scaleTargetRef: t.always(1, CrossVersionObjectReference),
  minReplicas: t.pointer(2, t.int32, { default: 1 }),
  maxReplicas: t.always(3, t.int32),
  metrics: t.optional(4, t.atomicList(MetricSpec)),
  behavior: t.pointer(5, HorizontalPodAutoscalerBehavior),
});
export interface HorizontalPodAutoscalerSpec extends t.Static<typeof HorizontalPodAutoscalerSpec> {}

export const ObjectMetricStatus = t.struct('autoscaling/v2beta2.ObjectMetricStatus', {
  metric: t.always(1, MetricIdentifier),
  current: t.always(2, MetricValueStatus),
  describedObject: t.always(3, CrossVersionObjectReference),
});
export interface ObjectMetricStatus extends t.Static<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = t.struct('autoscaling/v2beta2.PodsMetricStatus', {
  metric: t.always(1, MetricIdentifier),
  current: t.always(2, MetricValueStatus),
});
export interface PodsMetricStatus extends t.Static<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = t.struct('autoscaling/v2beta2.ResourceMetricStatus', {
  name: t.always(1, t.string),
  current: t.always(2, MetricValueStatus),
});
export interface ResourceMetricStatus extends t.Static<typeof ResourceMetricStatus> {}

export const MetricStatus = t.struct('autoscaling/v2beta2.MetricStatus', {
  type: t.always(1, t.string),
  object: t.pointer(2, ObjectMetricStatus),
  pods: t.pointer(3, PodsMetricStatus),
  resource: t.pointer(4, ResourceMetricStatus),
  containerResource: t.pointer(7, ContainerResourceMetricStatus),
  external: t.pointer(5, ExternalMetricStatus),
});
export interface MetricStatus extends t.Static<typeof MetricStatus> {}

export const HorizontalPodAutoscalerCondition = t.structIn(
  'autoscaling/v2beta2',
  v2.HorizontalPodAutoscalerCondition,
  { fields: { type: t.always(1, t.string), status: t.always(2, t.string) } },
);
export interface HorizontalPodAutoscalerCondition extends t.Static<typeof HorizontalPodAutoscalerCondition> {}

export const HorizontalPodAutoscalerStatus = t.structIn(
  'autoscaling/v2beta2',
  v2.HorizontalPodAutoscalerStatus,
  {
    fields: {
      currentReplicas: t.always(3, t.int32),
      desiredReplicas: t.always(4, t.int32),
      currentMetrics: t.always(5, t.atomicList(MetricStatus)),
      conditions: t.always(6, t.atomicList(HorizontalPodAutoscalerCondition)),
    },
  },
);
export interface HorizontalPodAutoscalerStatus extends t.Static<typeof HorizontalPodAutoscalerStatus> {}

export const HorizontalPodAutoscaler = t.kindIn(
  'autoscaling/v2beta2',
  v2.HorizontalPodAutoscaler,
  {
    fields: {
      spec: t.optional(2, HorizontalPodAutoscalerSpec),
      status: t.optional(3, HorizontalPodAutoscalerStatus),
    },
  },
  { defaults: [defaultAutoscaler] },
);
export interface HorizontalPodAutoscaler extends t.Static<typeof HorizontalPodAutoscaler> {}
