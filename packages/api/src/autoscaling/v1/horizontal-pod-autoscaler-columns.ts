import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { StatusObject } from '../../meta/kind-object.ts';
import { formatMetrics } from '../v2/horizontal-pod-autoscaler-columns.ts';
import type {
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
} from './horizontal-pod-autoscaler.ts';

/** This version knows the CPU's metric alone; a table of all of them is made from v2. */
export const autoscalerColumns: readonly Column<
  StatusObject<HorizontalPodAutoscalerSpec, HorizontalPodAutoscalerStatus>
>[] = [
  nameColumn,
  column('Reference', ({ spec }) => `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`),
  column('Targets', ({ spec, status }) => targets(spec, status)),
  column('MinPods', ({ spec }) => (spec.minReplicas == null ? '<unset>' : `${spec.minReplicas}`)),
  column('MaxPods', ({ spec }) => spec.maxReplicas),
  column('Replicas', ({ status }) => status?.currentReplicas ?? 0),
  ageColumn,
];

function targets(
  spec: HorizontalPodAutoscalerSpec,
  status: HorizontalPodAutoscalerStatus | undefined,
): string {
  const averageUtilization = spec.targetCPUUtilizationPercentage;
  if (averageUtilization == null) return '<none>';
  const current = status?.currentCPUUtilizationPercentage;
  return formatMetrics(
    [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }],
    current == null
      ? []
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }],
  );
}
