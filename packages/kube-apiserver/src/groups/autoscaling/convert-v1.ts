/**
 * autoscaling/v1 supports only CPU utilization; everything else of v2 is kept in annotations, so that nothing is lost
 * when an old client writes the object.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Conversion } from '@coxswain/apiserver';
import type { HorizontalPodAutoscaler as V1 } from '@coxswain/api/autoscaling/v1/horizontal-pod-autoscaler.ts';
import { MetricSpec as MetricSpecV1 } from '@coxswain/api/autoscaling/v1/metric-spec.ts';
import { MetricStatus as MetricStatusV1 } from '@coxswain/api/autoscaling/v1/metric-status.ts';
import type { HorizontalPodAutoscaler as V2 } from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler.ts';
import { HorizontalPodAutoscalerCondition } from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler-status.ts';
import type { MetricSpec } from '@coxswain/api/autoscaling/v2/metric-spec.ts';
import { decodeValue, type Fields, type StructType } from '@coxswain/schema';
import { as } from '../any-object.ts';
import { behaviorFromAnnotation, behaviorToAnnotation } from './behavior-annotation.ts';
import { metricFromV1, metricToV1 } from './convert-metric-spec.ts';
import { metricStatusFromV1, metricStatusToV1 } from './convert-metric-status.ts';

const annotations = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  toleranceDown: 'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  toleranceUp: 'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
} as const;

/** v1's default when no target is given. */
const utilizationDefault = 80;

export const autoscalerV1Conversion: Conversion = {
  toStorage: (object) => as<KubeObject>(toV2(as<V1>(object))),
  fromStorage: (object) => as<KubeObject>(toV1(as<V2>(object))),
};

function toV1({ metadata, spec, status = {} as V2['status'] }: V2): V1 {
  const { scaleTargetRef, minReplicas, maxReplicas, behavior } = spec;
  const metrics = spec.metrics ?? [];
  const cpu = metrics.find(isCpuUtilization)?.resource?.target.averageUtilization;
  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  const currentMetrics = status.currentMetrics ?? [];
  const conditions = status.conditions ?? [];
  const kept = {
    ...withoutRoundTrip(metadata.annotations),
    ...(others.length > 0 && { [annotations.metrics]: JSON.stringify(others.map(metricToV1)) }),
    ...(currentMetrics.length > 0 && {
      [annotations.currentMetrics]: JSON.stringify(currentMetrics.map(metricStatusToV1)),
    }),
    ...(behavior && { [annotations.behavior]: behaviorToAnnotation(behavior) }),
    ...(conditions.length > 0 && {
      [annotations.conditions]: JSON.stringify(conditions.map(conditionInOrder)),
    }),
  };
  return {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(metadata, kept),
    spec: {
      scaleTargetRef,
      ...(minReplicas !== undefined && { minReplicas }),
      maxReplicas,
      ...(cpu !== undefined && { targetCPUUtilizationPercentage: cpu }),
    },
    status: statusToV1(status),
  };
}

function statusToV1(status: V2['status']): V1['status'] {
  const { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas, currentMetrics = [] } = status;
  const cpu = (currentMetrics ?? [])
    .filter(({ type, resource }) => type === 'Resource' && resource?.name === 'cpu')
    .map(({ resource }) => resource?.current.averageUtilization)
    .findLast((utilization) => utilization !== undefined);
  return {
    ...(observedGeneration !== undefined && { observedGeneration }),
    ...(lastScaleTime !== undefined && { lastScaleTime }),
    currentReplicas: currentReplicas ?? 0,
    desiredReplicas: desiredReplicas ?? 0,
    ...(cpu !== undefined && { currentCPUUtilizationPercentage: cpu }),
  };
}

function toV2({ metadata, spec = {} as V1['spec'], status = {} as V1['status'] }: V1): V2 {
  const stored = metadata.annotations ?? {};
  const cpu = spec.targetCPUUtilizationPercentage;
  const ofCpu = cpu === undefined ? [] : [cpuUtilization(cpu)];
  const others = parsedList(MetricSpecV1, stored[annotations.metrics]);
  const metrics = [...(others ?? []).map(metricFromV1), ...ofCpu];
  const behavior = behaviorFromAnnotation(stored[annotations.behavior]);
  const { scaleTargetRef, minReplicas, maxReplicas } = spec;
  return {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(metadata, withoutRoundTrip(stored)),
    spec: {
      scaleTargetRef,
      ...(minReplicas !== undefined && { minReplicas }),
      maxReplicas,
      metrics: metrics.length > 0 ? metrics : [cpuUtilization(utilizationDefault)],
      ...(behavior !== undefined && { behavior }),
    },
    status: statusToV2(status, stored),
  };
}

function statusToV2(status: V1['status'], stored: Readonly<Record<string, string>>): V2['status'] {
  const { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas } = status;
  const cpu = status.currentCPUUtilizationPercentage;
  const current =
    parsedList(MetricStatusV1, stored[annotations.currentMetrics])?.map(metricStatusFromV1) ??
    (cpu === undefined
      ? undefined
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: cpu } } }]);
  const conditions = parsedList(HorizontalPodAutoscalerCondition, stored[annotations.conditions]);
  return {
    ...(observedGeneration !== undefined && { observedGeneration }),
    ...(lastScaleTime !== undefined && { lastScaleTime }),
    currentReplicas: currentReplicas ?? 0,
    desiredReplicas: desiredReplicas ?? 0,
    currentMetrics: current ?? (null as never),
    ...(conditions !== undefined && { conditions }),
  };
}

const isCpuUtilization = ({ type, resource }: MetricSpec): boolean =>
  type === 'Resource' && resource?.name === 'cpu' && resource.target.averageUtilization !== undefined;

const cpuUtilization = (percent: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
});

const conditionInOrder = (condition: HorizontalPodAutoscalerCondition) => ({
  type: condition.type,
  status: condition.status,
  lastTransitionTime: condition.lastTransitionTime ?? null,
  reason: condition.reason,
  message: condition.message,
});

function withoutRoundTrip(all: Readonly<Record<string, string>> = {}): Record<string, string> {
  const names: readonly string[] = Object.values(annotations);
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}

function withAnnotations(metadata: V1['metadata'], kept: Record<string, string>): V1['metadata'] {
  const { annotations: _, ...others } = metadata;
  return Object.keys(kept).length === 0 ? others : { ...others, annotations: kept };
}

/** An invalid annotation, edited by hand, is ignored. */
function parsedList<T>(type: StructType<Fields, T>, text: string | undefined): T[] | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as unknown[] | null;
    if (value !== null && !Array.isArray(value)) return undefined;
    return (value ?? []).map((item) => decodeValue(type, item ?? {}).object);
  } catch {
    return undefined;
  }
}
