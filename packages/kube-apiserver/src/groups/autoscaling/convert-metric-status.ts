/** Converts current metric values of autoscaling/v2 to the form of v1 and back; members are in Go's order. */
import type { MetricStatus as V1 } from '@coxswain/api/autoscaling/v1/metric-status.ts';
import type { MetricStatus as V2 } from '@coxswain/api/autoscaling/v2/metric-status.ts';
import { defined } from '../defined.ts';

const zero = '0';

export function metricStatusToV1({ type, object, pods, resource, containerResource, external }: V2): V1 {
  return defined({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      currentValue: object.current.value ?? zero,
      ...defined({ selector: object.metric.selector, averageValue: object.current.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? zero,
      ...defined({ selector: pods.metric.selector }),
    },
    resource: resource && {
      name: resource.name,
      ...defined({ currentAverageUtilization: resource.current.averageUtilization }),
      currentAverageValue: resource.current.averageValue ?? zero,
    },
    containerResource: containerResource && {
      name: containerResource.name,
      ...defined({ currentAverageUtilization: containerResource.current.averageUtilization }),
      currentAverageValue: containerResource.current.averageValue ?? zero,
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      ...defined({ metricSelector: external.metric.selector }),
      currentValue: external.current.value ?? zero,
      ...defined({ currentAverageValue: external.current.averageValue }),
    },
  });
}

export function metricStatusFromV1({ type, object, pods, resource, containerResource, external }: V1): V2 {
  return defined({
    type,
    object: object && {
      metric: metric(object.metricName, object.selector),
      current: defined({ value: object.currentValue, averageValue: object.averageValue }),
      describedObject: object.target,
    },
    pods: pods && {
      metric: metric(pods.metricName, pods.selector),
      current: { averageValue: pods.currentAverageValue },
    },
    resource: resource && {
      name: resource.name,
      current: defined({
        averageValue: resource.currentAverageValue,
        averageUtilization: resource.currentAverageUtilization,
      }),
    },
    containerResource: containerResource && {
      name: containerResource.name,
      current: defined({
        averageValue: containerResource.currentAverageValue,
        averageUtilization: containerResource.currentAverageUtilization,
      }),
      container: containerResource.container,
    },
    external: external && {
      metric: metric(external.metricName, external.metricSelector),
      current: defined({ value: external.currentValue, averageValue: external.currentAverageValue }),
    },
  });
}

const metric = <S>(name: string, selector: S | undefined) => ({
  name,
  ...(selector === undefined ? {} : { selector }),
});
