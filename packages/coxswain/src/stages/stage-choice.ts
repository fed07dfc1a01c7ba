/** Determines which stage comes next for an object, and when. */

import { parseDurationMs, type KubeObject, type Random } from '@coxswain/apimachinery';
import { celQuery } from './cel-query.ts';
import { pathQuery, type PathQuery } from './path-query.ts';
import type { ExpressionFrom, Stage, StageExpression, StageRequirement } from './stage.ts';

export interface CompiledStage {
  readonly stage: Stage;
  matches(object: KubeObject): boolean;
  /** Undefined if the object specifies an invalid weight. */
  weight(object: KubeObject): number | undefined;
  /** In milliseconds from now. */
  delayMs(object: KubeObject, nowMs: number, random: Random): number;
}

/** @throws Error for an invalid expression */
export function compileStage(stage: Stage): CompiledStage {
  const { selector, delay, weight = 0, weightFrom } = stage.spec;
  const requirements = (selector?.matchExpressions ?? []).map(condition);
  const weightQuery = queryOf(weightFrom);
  const durationQuery = queryOf(delay?.durationFrom);
  const jitterQuery = queryOf(delay?.jitterDurationFrom);
  return {
    stage,
    // A stage without a selector matches nothing.
    matches: (object) =>
      selector !== undefined &&
      holds(selector.matchLabels, object.metadata.labels) &&
      holds(selector.matchAnnotations, object.metadata.annotations) &&
      requirements.every((matches) => matches(object)),
    weight(object) {
      const found = weightQuery?.(object)[0];
      if (found === undefined) return weight;
      return Number.isInteger(Number(found)) ? Number(found) : undefined;
    },
    delayMs(object, nowMs, random) {
      if (delay === undefined) return 0;
      const shortMs = foundMs(durationQuery?.(object)[0], nowMs) ?? delay.durationMilliseconds ?? 0;
      const longMs = foundMs(jitterQuery?.(object)[0], nowMs) ?? delay.jitterDurationMilliseconds;
      if (longMs === undefined) return Math.max(0, shortMs);
      return Math.max(0, longMs <= shortMs ? longMs : shortMs + random.next() * (longMs - shortMs));
    },
  };
}

/** Chooses among several matches by weight; those without a weight are chosen only if none has one. */
export function chooseStage(
  stages: readonly CompiledStage[],
  object: KubeObject,
  random: Random,
): CompiledStage | undefined {
  const matching = stages.filter((stage) => stage.matches(object));
  if (matching.length < 2) return matching[0];
  const weighed = matching.map((stage) => ({ stage, weight: stage.weight(object) }));
  const total = weighed.reduce((sum, { weight = 0 }) => sum + Math.max(0, weight), 0);
  if (total === 0) {
    const sound = weighed.filter(({ weight }) => weight !== undefined);
    const among = sound.length === 0 ? weighed : sound;
    return among[Math.floor(random.next() * among.length)]!.stage;
  }
  let left = random.next() * total;
  return weighed.find(({ weight = 0 }) => weight > 0 && (left -= weight) < 0)?.stage ?? matching.at(-1);
}

function queryOf(from: ExpressionFrom | undefined): PathQuery | undefined {
  if (from?.cel !== undefined) return celQuery(from.cel.expression);
  const text = from?.expressionFrom ?? from?.jq?.expression;
  return text === undefined ? undefined : pathQuery(text);
}

/** A timestamp is converted to the time remaining until then. */
function foundMs(value: unknown, nowMs: number): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return Date.parse(value) - nowMs;
  try {
    return parseDurationMs(value);
  } catch {
    return undefined;
  }
}

const holds = (wanted: Readonly<Record<string, string>> = {}, found: Readonly<Record<string, string>> = {}) =>
  Object.entries(wanted).every(([name, value]) => found[name] === value);

/** @throws Error for an invalid expression */
function condition(expression: StageExpression): (object: KubeObject) => boolean {
  if ('jq' in expression) return requirement(expression.jq);
  if (!('cel' in expression)) return requirement(expression);
  const query = celQuery(expression.cel.expression);
  return (object) => query(object)[0] === true;
}

/** @throws Error for an unknown operator */
function requirement({ key, operator, values = [] }: StageRequirement): (object: KubeObject) => boolean {
  const query = pathQuery(key);
  const hasOneOf = (object: KubeObject) => query(object).some((value) => values.includes(String(value)));
  switch (operator) {
    case 'In':
      return hasOneOf;
    case 'NotIn':
      return (object) => !hasOneOf(object);
    case 'Exists':
      return (object) => query(object).length > 0;
    case 'DoesNotExist':
      return (object) => query(object).length === 0;
    default:
      throw new Error(`operator "${String(operator)}" is not supported`);
  }
}
