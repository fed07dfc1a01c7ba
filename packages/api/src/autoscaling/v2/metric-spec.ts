import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

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
