import { always, int32, pointer, quantity, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { CrossVersionObjectReference } from './cross-version-object-reference.ts';

export const ContainerResourceMetricSource = struct('autoscaling/v1.ContainerResourceMetricSource', {
  name: always(1, named('v1.ResourceName', string)),
  targetAverageUtilization: pointer(2, int32),
  targetAverageValue: pointer(3, quantity),
  container: always(5, string),
});
export interface ContainerResourceMetricSource extends Static<typeof ContainerResourceMetricSource> {}

export const ExternalMetricSource = struct('autoscaling/v1.ExternalMetricSource', {
  metricName: always(1, string),
  metricSelector: pointer(2, LabelSelector),
  targetValue: pointer(3, quantity),
  targetAverageValue: pointer(4, quantity),
});
export interface ExternalMetricSource extends Static<typeof ExternalMetricSource> {}

export const ObjectMetricSource = struct('autoscaling/v1.ObjectMetricSource', {
  target: always(1, CrossVersionObjectReference),
  metricName: always(2, string),
  targetValue: always(3, quantity),
  selector: pointer(4, LabelSelector),
  averageValue: pointer(5, quantity),
});
export interface ObjectMetricSource extends Static<typeof ObjectMetricSource> {}

export const PodsMetricSource = struct('autoscaling/v1.PodsMetricSource', {
  metricName: always(1, string),
  targetAverageValue: always(2, quantity),
  selector: pointer(3, LabelSelector),
});
export interface PodsMetricSource extends Static<typeof PodsMetricSource> {}

export const ResourceMetricSource = struct('autoscaling/v1.ResourceMetricSource', {
  name: always(1, named('v1.ResourceName', string)),
  targetAverageUtilization: pointer(2, int32),
  targetAverageValue: pointer(3, quantity),
});
export interface ResourceMetricSource extends Static<typeof ResourceMetricSource> {}

export const MetricSpec = struct('autoscaling/v1.MetricSpec', {
  type: always(1, named('v1.MetricSourceType', string)),
  object: pointer(2, ObjectMetricSource),
  pods: pointer(3, PodsMetricSource),
  resource: pointer(4, ResourceMetricSource),
  containerResource: pointer(7, ContainerResourceMetricSource),
  external: pointer(5, ExternalMetricSource),
});
export interface MetricSpec extends Static<typeof MetricSpec> {}
