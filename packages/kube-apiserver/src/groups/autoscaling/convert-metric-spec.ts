/**
 * Converts metrics of autoscaling/v2 to the form of v1 and back. Members are in Go's order, since the text is compared.
 */
import type { MetricSpec as V1 } from '@coxswain/api/autoscaling/v1/metric-spec.ts';
import type { MetricSpec as V2, MetricTarget } from '@coxswain/api/autoscaling/v2/metric-spec.ts';
import { defined } from '../defined.ts';

const zero = '0';

export function metricToV1({ type, object, pods, resource, containerResource, external }: V2): V1 {
  return defined({
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric.name,
      targetValue: object.target.value ?? zero,
      ...defined({ selector: object.metric.selector, averageValue: object.target.averageValue }),
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? zero,
      ...defined({ selector: pods.metric.selector }),
    },
    resource: resource && { name: resource.name, ...averages(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...averages(containerResource.target),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      ...defined({
        metricSelector: external.metric.selector,
        targetValue: external.target.value,
        targetAverageValue: external.target.averageValue,
      }),
    },
  });
}

const averages = ({ averageUtilization, averageValue }: MetricTarget) =>
  defined({ targetAverageUtilization: averageUtilization, targetAverageValue: averageValue });

export function metricFromV1({ type, object, pods, resource, containerResource, external }: V1): V2 {
  return defined({
    type,
    object: object && {
      describedObject: object.target,
      target: objectTarget(object.targetValue, object.averageValue),
      metric: metric(object.metricName, object.selector),
    },
    pods: pods && {
      metric: metric(pods.metricName, pods.selector),
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
    },
    resource: resource && { name: resource.name, target: averageTarget(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      target: averageTarget(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: metric(external.metricName, external.metricSelector),
      target: defined({
        type: external.targetValue === undefined ? 'AverageValue' : 'Value',
        value: external.targetValue,
        averageValue: external.targetAverageValue,
      }),
    },
  });
}

/** v1 always writes a value; next to an average, zero means none. */
function objectTarget(value: string, averageValue: string | undefined): MetricTarget {
  if (averageValue === undefined) return { type: 'Value', value };
  return { type: 'AverageValue', ...(value === zero ? {} : { value }), averageValue };
}

function averageTarget(source: {
  readonly targetAverageUtilization?: number;
  readonly targetAverageValue?: string;
}): MetricTarget {
  const { targetAverageUtilization, targetAverageValue } = source;
  return defined({
    type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageValue: targetAverageValue,
    averageUtilization: targetAverageUtilization,
  });
}

const metric = <S>(name: string, selector: S | undefined) => ({
  name,
  ...(selector === undefined ? {} : { selector }),
});
