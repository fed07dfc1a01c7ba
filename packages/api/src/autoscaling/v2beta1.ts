import * as t from '@coxswain/schema';
import type { SpecObject } from '../meta/kind-object.ts';
import * as v1 from './v1/index.ts';
import * as v2beta2 from './v2beta2.ts';

export const ContainerResourceMetricSource = t.structIn(
  'autoscaling/v2beta1',
  v1.ContainerResourceMetricSource,
  {
    fields: { name: t.always(1, t.string), container: t.always(4, t.string) },
  },
);
export interface ContainerResourceMetricSource extends t.Static<typeof ContainerResourceMetricSource> {}

export const ContainerResourceMetricStatus = t.structIn(
  'autoscaling/v2beta1',
  v1.ContainerResourceMetricStatus,
  { fields: { name: t.always(1, t.string) } },
);
export interface ContainerResourceMetricStatus extends t.Static<typeof ContainerResourceMetricStatus> {}

export const CrossVersionObjectReference = t.structIn(
  'autoscaling/v2beta1',
  v2beta2.CrossVersionObjectReference,
);
export interface CrossVersionObjectReference extends t.Static<typeof CrossVersionObjectReference> {}

export const ObjectMetricSource = t.structIn('autoscaling/v2beta1', v1.ObjectMetricSource, {
  fields: { target: t.always(1, CrossVersionObjectReference) },
});
export interface ObjectMetricSource extends t.Static<typeof ObjectMetricSource> {}

export const ResourceMetricSource = t.structIn('autoscaling/v2beta1', v1.ResourceMetricSource, {
  fields: { name: t.always(1, t.string) },
});
export interface ResourceMetricSource extends t.Static<typeof ResourceMetricSource> {}

export const MetricSpec = t.structIn('autoscaling/v2beta1', v1.MetricSpec, {
  fields: {
    type: t.always(1, t.string),
    object: t.pointer(2, ObjectMetricSource),
    resource: t.pointer(4, ResourceMetricSource),
    containerResource: t.pointer(7, ContainerResourceMetricSource),
  },
});
export interface MetricSpec extends t.Static<typeof MetricSpec> {}

export const HorizontalPodAutoscalerSpec = t.structIn(
  'autoscaling/v2beta1',
  v2beta2.HorizontalPodAutoscalerSpec,
  { fields: { metrics: t.optional(4, t.atomicList(MetricSpec)) }, without: ['behavior'] },
);
export interface HorizontalPodAutoscalerSpec extends t.Static<typeof HorizontalPodAutoscalerSpec> {}

export const ObjectMetricStatus = t.structIn('autoscaling/v2beta1', v1.ObjectMetricStatus, {
  fields: { target: t.always(1, CrossVersionObjectReference) },
});
export interface ObjectMetricStatus extends t.Static<typeof ObjectMetricStatus> {}

export const ResourceMetricStatus = t.structIn('autoscaling/v2beta1', v1.ResourceMetricStatus, {
  fields: { name: t.always(1, t.string) },
});
export interface ResourceMetricStatus extends t.Static<typeof ResourceMetricStatus> {}

export const MetricStatus = t.structIn('autoscaling/v2beta1', v1.MetricStatus, {
  fields: {
    type: t.always(1, t.string),
    object: t.pointer(2, ObjectMetricStatus),
    resource: t.pointer(4, ResourceMetricStatus),
    containerResource: t.pointer(7, ContainerResourceMetricStatus),
  },
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
