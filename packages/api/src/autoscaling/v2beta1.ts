import * as t from '@coxswain/schema';
import type { SpecObject } from '../meta/kind-object.ts';
import { LabelSelector } from '../meta/v1/label-selector.ts';
import * as v2beta2 from './v2beta2.ts';

export const ContainerResourceMetricSource = t.struct('autoscaling/v2beta1.ContainerResourceMetricSource', {
  name: t.always(1, t.string),
  targetAverageUtilization: t.pointer(2, t.int32),
  targetAverageValue: t.pointer(3, t.quantity),
  container: t.always(4, t.string),
});
export interface ContainerResourceMetricSource extends t.Static<typeof ContainerResourceMetricSource> {}

export const ContainerResourceMetricStatus = t.struct('autoscaling/v2beta1.ContainerResourceMetricStatus', {
  name: t.always(1, t.string),
  currentAverageUtilization: t.pointer(2, t.int32),
  currentAverageValue: t.always(3, t.quantity),
  container: t.always(4, t.string),
});
export interface ContainerResourceMetricStatus extends t.Static<typeof ContainerResourceMetricStatus> {}

export const CrossVersionObjectReference = t.structIn(
  'autoscaling/v2beta1',
  v2beta2.CrossVersionObjectReference,
);
export interface CrossVersionObjectReference extends t.Static<typeof CrossVersionObjectReference> {}

export const ExternalMetricSource = t.struct('autoscaling/v2beta1.ExternalMetricSource', {
  metricName: t.always(1, t.string),
  metricSelector: t.pointer(2, LabelSelector),
  targetValue: t.pointer(3, t.quantity),
  targetAverageValue: t.pointer(4, t.quantity),
});
export interface ExternalMetricSource extends t.Static<typeof ExternalMetricSource> {}

export const ExternalMetricStatus = t.struct('autoscaling/v2beta1.ExternalMetricStatus', {
  metricName: t.always(1, t.string),
  metricSelector: t.pointer(2, LabelSelector),
  currentValue: t.always(3, t.quantity),
  currentAverageValue: t.pointer(4, t.quantity),
});
export interface ExternalMetricStatus extends t.Static<typeof ExternalMetricStatus> {}

export const ObjectMetricSource = t.struct('autoscaling/v2beta1.ObjectMetricSource', {
  target: t.always(1, CrossVersionObjectReference),
  metricName: t.always(2, t.string),
  targetValue: t.always(3, t.quantity),
  selector: t.pointer(4, LabelSelector),
  averageValue: t.pointer(5, t.quantity),
});
export interface ObjectMetricSource extends t.Static<typeof ObjectMetricSource> {}

export const PodsMetricSource = t.struct('autoscaling/v2beta1.PodsMetricSource', {
  metricName: t.always(1, t.string),
  targetAverageValue: t.always(2, t.quantity),
  selector: t.pointer(3, LabelSelector),
});
export interface PodsMetricSource extends t.Static<typeof PodsMetricSource> {}

export const ResourceMetricSource = t.struct('autoscaling/v2beta1.ResourceMetricSource', {
  name: t.always(1, t.string),
  targetAverageUtilization: t.pointer(2, t.int32),
  targetAverageValue: t.pointer(3, t.quantity),
});
export interface ResourceMetricSource extends t.Static<typeof ResourceMetricSource> {}

export const MetricSpec = t.struct('autoscaling/v2beta1.MetricSpec', {
  type: t.always(1, t.string),
  object: t.pointer(2, ObjectMetricSource),
  pods: t.pointer(3, PodsMetricSource),
  resource: t.pointer(4, ResourceMetricSource),
  containerResource: t.pointer(7, ContainerResourceMetricSource),
  external: t.pointer(5, ExternalMetricSource),
});
export interface MetricSpec extends t.Static<typeof MetricSpec> {}

export const HorizontalPodAutoscalerSpec = t.structIn(
  'autoscaling/v2beta1',
  v2beta2.HorizontalPodAutoscalerSpec,
  { fields: { metrics: t.optional(4, t.atomicList(MetricSpec)) }, without: ['behavior'] },
);
export interface HorizontalPodAutoscalerSpec extends t.Static<typeof HorizontalPodAutoscalerSpec> {}

export const ObjectMetricStatus = t.struct('autoscaling/v2beta1.ObjectMetricStatus', {
  target: t.always(1, CrossVersionObjectReference),
  metricName: t.always(2, t.string),
  currentValue: t.always(3, t.quantity),
  selector: t.pointer(4, LabelSelector),
  averageValue: t.pointer(5, t.quantity),
});
export interface ObjectMetricStatus extends t.Static<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = t.struct('autoscaling/v2beta1.PodsMetricStatus', {
  metricName: t.always(1, t.string),
  currentAverageValue: t.always(2, t.quantity),
  selector: t.pointer(3, LabelSelector),
});
export interface PodsMetricStatus extends t.Static<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = t.struct('autoscaling/v2beta1.ResourceMetricStatus', {
  name: t.always(1, t.string),
  currentAverageUtilization: t.pointer(2, t.int32),
  currentAverageValue: t.always(3, t.quantity),
});
export interface ResourceMetricStatus extends t.Static<typeof ResourceMetricStatus> {}

export const MetricStatus = t.struct('autoscaling/v2beta1.MetricStatus', {
  type: t.always(1, t.string),
  object: t.pointer(2, ObjectMetricStatus),
  pods: t.pointer(3, PodsMetricStatus),
  resource: t.pointer(4, ResourceMetricStatus),
  containerResource: t.pointer(7, ContainerResourceMetricStatus),
  external: t.pointer(5, ExternalMetricStatus),
});
export interface MetricStatus extends t.Static<typeof MetricStatus> {}

export const HorizontalPodAutoscalerStatus = t.structIn(
  'autoscaling/v2beta1',
  v2beta2.HorizontalPodAutoscalerStatus,
  { fields: { currentMetrics: t.always(5, t.atomicList(MetricStatus)) } },
);
export interface HorizontalPodAutoscalerStatus extends t.Static<typeof HorizontalPodAutoscalerStatus> {}

export const HorizontalPodAutoscaler = t.kindIn(
  'autoscaling/v2beta1',
  v2beta2.HorizontalPodAutoscaler,
  {
    fields: {
      spec: t.optional(2, HorizontalPodAutoscalerSpec),
      status: t.optional(3, HorizontalPodAutoscalerStatus),
    },
  },
  { defaults: [defaultMetrics] },
);
export interface HorizontalPodAutoscaler extends t.Static<typeof HorizontalPodAutoscaler> {}

function defaultMetrics({ spec }: SpecObject<HorizontalPodAutoscalerSpec>): void {
  if ((spec.metrics ?? []).length > 0) return;
  spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 80 } }];
}
