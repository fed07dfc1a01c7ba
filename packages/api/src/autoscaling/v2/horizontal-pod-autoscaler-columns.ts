import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { StatusObject } from '../../meta/kind-object.ts';
import type { HorizontalPodAutoscalerStatus } from './horizontal-pod-autoscaler-status.ts';
import type { HorizontalPodAutoscalerSpec } from './horizontal-pod-autoscaler-spec.ts';
import type { MetricStatus, MetricValueStatus } from './metric-status.ts';
import type { MetricSpec, MetricTarget } from './metric-spec.ts';

export const autoscalerColumns: readonly Column<
  StatusObject<HorizontalPodAutoscalerSpec, HorizontalPodAutoscalerStatus>
>[] = [
  nameColumn,
  column('Reference', ({ spec }) => `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`),
  column('Targets', ({ spec, status }) => formatMetrics(spec.metrics ?? [], status?.currentMetrics ?? [])),
  column('MinPods', ({ spec }) => (spec.minReplicas == null ? '<unset>' : `${spec.minReplicas}`)),
  column('MaxPods', ({ spec }) => spec.maxReplicas),
  column('Replicas', ({ status }) => status?.currentReplicas ?? 0),
  ageColumn,
];

const shownMax = 2;

export function formatMetrics(
  specs: readonly MetricSpec[],
  statuses: readonly (MetricStatus | undefined)[],
): string {
  if (specs.length === 0) return '<none>';
  const all = specs.map((spec, index) => formatMetric(spec, statuses[index]));
  const shown = all.slice(0, shownMax).join(', ');
  return all.length > shownMax ? `${shown} + ${all.length - shownMax} more...` : shown;
}

function formatMetric(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return ofWhole(spec.external?.target, status?.external?.current);
    case 'Object':
      return ofWhole(spec.object?.target, status?.object?.current);
    case 'Pods':
      return `${status?.pods == null ? unknown : quantity(status.pods.current.averageValue)}/${quantity(spec.pods?.target.averageValue)}`;
    case 'Resource':
      return `${spec.resource?.name}: ${ofResource(spec.resource?.target, status?.resource?.current)}`;
    case 'ContainerResource':
      return `${spec.containerResource?.name}: ${ofResource(spec.containerResource?.target, status?.containerResource?.current)}`;
    default:
      return '<unknown type>';
  }
}

const unknown = '<unknown>';

/** A missing quantity is printed as Go prints nil. */
const quantity = (value: string | undefined): string => value ?? '<nil>';

function ofWhole(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue != null) return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`;
  return `${current === undefined ? unknown : quantity(current.value)}/${quantity(target?.value)}`;
}

function ofResource(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue != null) {
    return `${current === undefined ? unknown : quantity(current.averageValue)}/${target.averageValue}`;
  }
  const utilization = current?.averageUtilization == null ? unknown : `${current.averageUtilization}%`;
  return `${utilization}/${target?.averageUtilization == null ? '<auto>' : `${target.averageUtilization}%`}`;
}
