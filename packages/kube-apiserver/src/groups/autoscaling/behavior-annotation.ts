/** The behavior in upstream's annotation format: with the names of all Go fields. */
import {
  HorizontalPodAutoscalerBehavior,
  type HPAScalingRules,
} from '@coxswain/api/autoscaling/v2/horizontal-pod-autoscaler-spec.ts';
import { decodeValue, resolved, type Type } from '@coxswain/schema';

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

/** Undefined when the annotation is absent or invalid. */
export function behaviorFromAnnotation(
  text: string | undefined,
): HorizontalPodAutoscalerBehavior | undefined {
  if (text === undefined) return undefined;
  try {
    const named = withOwnNames(HorizontalPodAutoscalerBehavior, JSON.parse(text));
    const behavior = decodeValue(HorizontalPodAutoscalerBehavior, named).object;
    return Object.keys(behavior).length === 0 ? undefined : behavior;
  } catch {
    return undefined;
  }
}

/** Go matches member names case-insensitively. */
function withOwnNames(type: Type, value: unknown): unknown {
  const actual = resolved(type);
  if (typeof value !== 'object' || value === null) return value;
  if (actual.form === 'list' && Array.isArray(value)) {
    return value.map((item) => withOwnNames(actual.element, item));
  }
  if (actual.form !== 'struct' || Array.isArray(value)) return value;
  const names = new Map(Object.keys(actual.fields).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const name = names.get(key.toLowerCase());
      return name === undefined ? [] : [[name, withOwnNames(actual.fields[name]!.type, child)]];
    }),
  );
}
