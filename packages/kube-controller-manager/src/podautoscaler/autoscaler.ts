/** HorizontalPodAutoscalers as seen by their controller. */
import type { HorizontalPodAutoscaler as AutoscalerShape } from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler.ts';
import type { HorizontalPodAutoscalerCondition } from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler-status.ts';
import type { HorizontalPodAutoscalerSpec } from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler-spec.ts';
import type { MetricStatus } from '@coxswain/api/autoscaling/v2/metric-status.ts';
import type { MetricSpec } from '@coxswain/api/autoscaling/v2/metric-spec.ts';
import type { KubeObject } from '@coxswain/apimachinery';

export type Autoscaler = Omit<AutoscalerShape, 'metadata' | 'kind' | 'apiVersion' | 'spec' | 'status'> &
  KubeObject & { readonly spec: HorizontalPodAutoscalerSpec; readonly status?: AutoscalerStatus };

export type Condition = HorizontalPodAutoscalerCondition;
export type { MetricSpec, MetricStatus };

export interface AutoscalerStatus {
  readonly observedGeneration?: number;
  readonly lastScaleTime?: string;
  readonly currentReplicas?: number;
  readonly desiredReplicas: number;
  readonly currentMetrics?: readonly MetricStatus[] | null;
  readonly conditions?: readonly Condition[];
}

export type Behavior = NonNullable<HorizontalPodAutoscalerSpec['behavior']>;
export type ScalingRules = NonNullable<Behavior['scaleUp']>;

export const autoscalers = {
  group: 'autoscaling',
  version: 'v2',
  resource: 'horizontalpodautoscalers',
};

/** A condition with an unchanged status keeps its transition time; others start now. */
export function withCondition(
  conditions: readonly Condition[],
  condition: {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
  },
  now: string,
): readonly Condition[] {
  const known = conditions.find(({ type }) => type === condition.type);
  const since = known?.status === condition.status ? (known.lastTransitionTime ?? now) : now;
  const next: Condition = { ...condition, lastTransitionTime: since };
  return known === undefined ? [...conditions, next] : conditions.map((one) => (one === known ? next : one));
}
