/** Defaults of autoscalers that depend on other values. */

import type { SpecObject } from '../../meta/kind-object.ts';
import type { HorizontalPodAutoscalerSpec, HPAScalingRules } from './horizontal-pod-autoscaler.ts';

export function defaultAutoscaler({ spec }: SpecObject<HorizontalPodAutoscalerSpec>): void {
  if ((spec.metrics ?? []).length === 0) spec.metrics = [cpuUtilization()];
  if (spec.behavior == null) return;
  spec.behavior.scaleUp = withDefaults(spec.behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  });
  spec.behavior.scaleDown = withDefaults(spec.behavior.scaleDown, {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  });
}

const cpuUtilization = () => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
});

/** An empty list of policies is kept: it is refused later. */
function withDefaults(rules: HPAScalingRules | undefined, defaults: HPAScalingRules): HPAScalingRules {
  if (rules == null) return defaults;
  rules.selectPolicy ??= defaults.selectPolicy;
  if (defaults.stabilizationWindowSeconds !== undefined) {
    rules.stabilizationWindowSeconds ??= defaults.stabilizationWindowSeconds;
  }
  rules.policies ??= defaults.policies;
  return rules;
}
