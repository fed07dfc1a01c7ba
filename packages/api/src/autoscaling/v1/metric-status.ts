import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { CrossVersionObjectReference } from './cross-version-object-reference.ts';

export const ContainerResourceMetricStatus = t.struct('autoscaling/v1.ContainerResourceMetricStatus', {
  name: t.always(1, t.named('v1.ResourceName', t.string)),
  currentAverageUtilization: t.pointer(2, t.int32),
  currentAverageValue: t.always(3, t.quantity),
  container: t.always(4, t.string),
});
export interface ContainerResourceMetricStatus extends t.Static<typeof ContainerResourceMetricStatus> {}

export const ExternalMetricStatus = t.struct('autoscaling/v1.ExternalMetricStatus', {
  metricName: t.always(1, t.string),
  metricSelector: t.pointer(2, LabelSelector),
  currentValue: t.always(3, t.quantity),
  currentAverageValue: t.pointer(4, t.quantity),
});
export interface ExternalMetricStatus extends t.Static<typeof ExternalMetricStatus> {}

export const ObjectMetricStatus = t.struct('autoscaling/v1.ObjectMetricStatus', {
  target: t.always(1, CrossVersionObjectReference),
  metricName: t.always(2, t.string),
  currentValue: t.always(3, t.quantity),
  selector: t.pointer(4, LabelSelector),
  averageValue: t.pointer(5, t.quantity),
});
export interface ObjectMetricStatus extends t.Static<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = t.struct('autoscaling/v1.PodsMetricStatus', {
  metricName: t.always(1, t.string),
  currentAverageValue: t.always(2, t.quantity),
  selector: t.pointer(3, LabelSelector),
});
export interface PodsMetricStatus extends t.Static<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = t.struct('autoscaling/v1.ResourceMetricStatus', {
  name: t.always(1, t.named('v1.ResourceName', t.string)),
  currentAverageUtilization: t.pointer(2, t.int32),
  currentAverageValue: t.always(3, t.quantity),
});
export interface ResourceMetricStatus extends t.Static<typeof ResourceMetricStatus> {}

export const MetricStatus = t.struct('autoscaling/v1.MetricStatus', {
  type: t.always(1, t.named('v1.MetricSourceType', t.string)),
  object: t.pointer(2, ObjectMetricStatus),
  pods: t.pointer(3, PodsMetricStatus),
  resource: t.pointer(4, ResourceMetricStatus),
  containerResource: t.pointer(7, ContainerResourceMetricStatus),
  external: t.pointer(5, ExternalMetricStatus),
});
export interface MetricStatus extends t.Static<typeof MetricStatus> {}
