import * as t from '@coxswain/schema';
import { CrossVersionObjectReference, MetricIdentifier } from './metric-spec.ts';

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

export const ExternalMetricStatus = t.struct('autoscaling/v2.ExternalMetricStatus', {
  metric: t.always(1, MetricIdentifier, { required: true }),
  current: t.always(2, MetricValueStatus, { required: true }),
});
export interface ExternalMetricStatus extends t.Static<typeof ExternalMetricStatus> {}

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
