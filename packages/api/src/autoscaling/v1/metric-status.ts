import { always, int32, pointer, quantity, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { CrossVersionObjectReference } from './cross-version-object-reference.ts';

export const ContainerResourceMetricStatus = struct('autoscaling/v1.ContainerResourceMetricStatus', {
  name: always(1, named('v1.ResourceName', string)),
  currentAverageUtilization: pointer(2, int32),
  currentAverageValue: always(3, quantity),
  container: always(4, string),
});
export interface ContainerResourceMetricStatus extends Static<typeof ContainerResourceMetricStatus> {}

export const ExternalMetricStatus = struct('autoscaling/v1.ExternalMetricStatus', {
  metricName: always(1, string),
  metricSelector: pointer(2, LabelSelector),
  currentValue: always(3, quantity),
  currentAverageValue: pointer(4, quantity),
});
export interface ExternalMetricStatus extends Static<typeof ExternalMetricStatus> {}

export const ObjectMetricStatus = struct('autoscaling/v1.ObjectMetricStatus', {
  target: always(1, CrossVersionObjectReference),
  metricName: always(2, string),
  currentValue: always(3, quantity),
  selector: pointer(4, LabelSelector),
  averageValue: pointer(5, quantity),
});
export interface ObjectMetricStatus extends Static<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = struct('autoscaling/v1.PodsMetricStatus', {
  metricName: always(1, string),
  currentAverageValue: always(2, quantity),
  selector: pointer(3, LabelSelector),
});
export interface PodsMetricStatus extends Static<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = struct('autoscaling/v1.ResourceMetricStatus', {
  name: always(1, named('v1.ResourceName', string)),
  currentAverageUtilization: pointer(2, int32),
  currentAverageValue: always(3, quantity),
});
export interface ResourceMetricStatus extends Static<typeof ResourceMetricStatus> {}

export const MetricStatus = struct('autoscaling/v1.MetricStatus', {
  type: always(1, named('v1.MetricSourceType', string)),
  object: pointer(2, ObjectMetricStatus),
  pods: pointer(3, PodsMetricStatus),
  resource: pointer(4, ResourceMetricStatus),
  containerResource: pointer(7, ContainerResourceMetricStatus),
  external: pointer(5, ExternalMetricStatus),
});
export interface MetricStatus extends Static<typeof MetricStatus> {}
