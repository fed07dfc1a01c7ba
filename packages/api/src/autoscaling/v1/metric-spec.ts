import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { CrossVersionObjectReference } from './cross-version-object-reference.ts';

export const ContainerResourceMetricSource = t.struct('autoscaling/v1.ContainerResourceMetricSource', {
  name: t.always(1, t.named('v1.ResourceName', t.string)),
  targetAverageUtilization: t.pointer(2, t.int32),
  targetAverageValue: t.pointer(3, t.quantity),
  container: t.always(5, t.string),
});
export interface ContainerResourceMetricSource extends t.Static<typeof ContainerResourceMetricSource> {}

export const ExternalMetricSource = t.struct('autoscaling/v1.ExternalMetricSource', {
  metricName: t.always(1, t.string),
  metricSelector: t.pointer(2, LabelSelector),
  targetValue: t.pointer(3, t.quantity),
  targetAverageValue: t.pointer(4, t.quantity),
});
export interface ExternalMetricSource extends t.Static<typeof ExternalMetricSource> {}

export const ObjectMetricSource = t.struct('autoscaling/v1.ObjectMetricSource', {
  target: t.always(1, CrossVersionObjectReference),
  metricName: t.always(2, t.string),
  targetValue: t.always(3, t.quantity),
  selector: t.pointer(4, LabelSelector),
  averageValue: t.pointer(5, t.quantity),
});
export interface ObjectMetricSource extends t.Static<typeof ObjectMetricSource> {}

export const PodsMetricSource = t.struct('autoscaling/v1.PodsMetricSource', {
  metricName: t.always(1, t.string),
  targetAverageValue: t.always(2, t.quantity),
  selector: t.pointer(3, LabelSelector),
});
export interface PodsMetricSource extends t.Static<typeof PodsMetricSource> {}

export const ResourceMetricSource = t.struct('autoscaling/v1.ResourceMetricSource', {
  name: t.always(1, t.named('v1.ResourceName', t.string)),
  targetAverageUtilization: t.pointer(2, t.int32),
  targetAverageValue: t.pointer(3, t.quantity),
});
export interface ResourceMetricSource extends t.Static<typeof ResourceMetricSource> {}

export const MetricSpec = t.struct('autoscaling/v1.MetricSpec', {
  type: t.always(1, t.named('v1.MetricSourceType', t.string)),
  object: t.pointer(2, ObjectMetricSource),
  pods: t.pointer(3, PodsMetricSource),
  resource: t.pointer(4, ResourceMetricSource),
  containerResource: t.pointer(7, ContainerResourceMetricSource),
  external: t.pointer(5, ExternalMetricSource),
});
export interface MetricSpec extends t.Static<typeof MetricSpec> {}
