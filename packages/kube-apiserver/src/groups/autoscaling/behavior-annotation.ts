/** The behavior as the original keeps it in an annotation: with the names of Go's fields, all of them. */
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
} from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler.ts';

export const behaviorToAnnotation = ({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): string =>
  JSON.stringify({ ScaleUp: rulesToGo(scaleUp), ScaleDown: rulesToGo(scaleDown) });

const rulesToGo = (rules: HPAScalingRules | undefined) =>
  rules === undefined
    ? null
    : {
        StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
        SelectPolicy: rules.selectPolicy ?? null,
        Policies:
          rules.policies?.map(({ type, value, periodSeconds }) => ({
            Type: type,
            Value: value,
            PeriodSeconds: periodSeconds,
          })) ?? null,
        Tolerance: rules.tolerance ?? null,
      };

/** Undefined when there is nothing, or nothing that makes sense. */
export function behaviorFromAnnotation(
  text: string | undefined,
): HorizontalPodAutoscalerBehavior | undefined {
  if (text === undefined) return undefined;
  try {
    const { scaleup, scaledown } = lowerKeys(JSON.parse(text)) as Record<string, unknown>;
    if (!scaleup && !scaledown) return undefined;
    return {
      ...(scaleup ? { scaleUp: rulesFromGo(scaleup as Record<string, unknown>) } : {}),
      ...(scaledown ? { scaleDown: rulesFromGo(scaledown as Record<string, unknown>) } : {}),
    };
  } catch {
    return undefined;
  }
}

function rulesFromGo(rules: Record<string, unknown>): HPAScalingRules {
  const policies = rules.policies as Record<string, unknown>[] | null | undefined;
  const found = {
    stabilizationWindowSeconds: rules.stabilizationwindowseconds,
    selectPolicy: rules.selectpolicy,
    policies: policies?.map(({ type, value, periodseconds }) => ({
      type,
      value,
      periodSeconds: periodseconds,
    })),
    tolerance: rules.tolerance,
  };
  return Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Go reads names of members in any case. */
function lowerKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key.toLowerCase(), lowerKeys(child)]),
  );
}
