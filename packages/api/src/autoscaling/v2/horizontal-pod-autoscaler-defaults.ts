/** Defaults of autoscalers that depend on other values. */

import type { SpecObject } from '../../meta/kind-object.ts';
import type { HorizontalPodAutoscalerSpec, HPAScalingRules } from './horizontal-pod-autoscaler-spec.ts';

export function defaultAutoscaler({ metadata, spec }: SpecObject<HorizontalPodAutoscalerSpec>): void {
  dropRoundTripAnnotations(metadata);
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

/** Annotations in which v1 keeps fields that it lacks; v2 drops them from client input. */
const roundTripAnnotations = [
  'metrics',
  'current-metrics',
  'behavior',
  'conditions',
  'scale-down-tolerance',
  'scale-up-tolerance',
].map((name) => `autoscaling.alpha.kubernetes.io/${name}`);

function dropRoundTripAnnotations(metadata: { annotations?: Readonly<Record<string, string>> }): void {
  const { annotations } = metadata;
  if (annotations === undefined || !roundTripAnnotations.some((name) => name in annotations)) return;
  const kept = Object.entries(annotations).filter(([name]) => !roundTripAnnotations.includes(name));
  if (kept.length === 0) delete metadata.annotations;
  else metadata.annotations = Object.fromEntries(kept);
}

const cpuUtilization = () => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
});

/** An empty list of policies is kept, since validation refuses it. */
function withDefaults(rules: HPAScalingRules | undefined, defaults: HPAScalingRules): HPAScalingRules {
  if (rules == null) return defaults;
  rules.selectPolicy ??= defaults.selectPolicy;
  if (defaults.stabilizationWindowSeconds !== undefined) {
    rules.stabilizationWindowSeconds ??= defaults.stabilizationWindowSeconds;
  }
  rules.policies ??= defaults.policies;
  return rules;
}
