/**
 * A variable or a value with a path of fields and indices: `self.a[0].?b`. Each step costs 1, and resolving the whole
 * costs 1 more.
 */

import { CelError, noSuchOverload } from '../values/error.ts';
import { qualify } from '../values/qualify.ts';
import { none, Optional, type Value } from '../values/value.ts';
import type { Evaluate, Run } from './run.ts';

export interface Qualifier {
  readonly key: Value | Evaluate;
  readonly isOptional: boolean;
  /** Whether it is `has(…)`: the result is whether the last step exists. */
  readonly isTest: boolean;
}

export interface Attribute {
  readonly resolve: Evaluate;
  /** A conditional has no cost besides that of its parts. */
  readonly ownCost: number;
  readonly with: (qualifier: Qualifier) => Attribute;
}

export function attributeOf(base: Evaluate, qualifiers: readonly Qualifier[] = []): Attribute {
  return {
    resolve: resolver(base, qualifiers),
    ownCost: 1,
    with: (qualifier) => attributeOf(base, [...qualifiers, qualifier]),
  };
}

export const conditional = (condition: Evaluate, whenTrue: Attribute, whenFalse: Attribute): Attribute => ({
  resolve: (run) => {
    const value = condition(run);
    if (value === true) return whenTrue.resolve(run);
    if (value === false) return whenFalse.resolve(run);
    return value instanceof CelError ? value : noSuchOverload;
  },
  ownCost: 0,
  with: (qualifier) => conditional(condition, whenTrue.with(qualifier), whenFalse.with(qualifier)),
});

function resolver(base: Evaluate, qualifiers: readonly Qualifier[]): Evaluate {
  if (qualifiers.length === 0) return base;
  if (qualifiers.some((qualifier) => qualifier.isOptional))
    return (run) => resolveOptional(run, base(run), qualifiers);
  const steps = qualifiers.map(stepOf);
  return (run) => {
    let value = base(run);
    if (value instanceof CelError) return value;
    if (value instanceof Optional) return resolveOptional(run, value, qualifiers);
    for (const step of steps) {
      value = step(run, value);
      if (value instanceof CelError) return value;
    }
    return value;
  };
}

type Step = (run: Run, value: Value) => Value;

function stepOf({ key, isTest }: Qualifier): Step {
  if (isTest) return (run, value) => testPresence(run, value, key as Value);
  if (typeof key === 'function') {
    return (run, value) => {
      const found = key(run);
      run.spend(1);
      if (found instanceof CelError) return found;
      return presentOr(qualify(value, found, false));
    };
  }
  return (run, value) => {
    run.spend(1);
    return presentOr(qualify(value, key, false));
  };
}

/** Undefined occurs only in presence tests. */
const presentOr = (value: Value | undefined): Value => (value === undefined ? noSuchOverload : value);

function testPresence(run: Run, value: Value, key: Value): Value {
  run.spend(1);
  const found = qualify(value, key, true);
  return found instanceof CelError ? found : found !== undefined;
}

/** From the first optional step on, a missing step makes the whole none. */
function resolveOptional(run: Run, start: Value, qualifiers: readonly Qualifier[]): Value {
  let value = start;
  let isOptional = value instanceof Optional;
  if (value instanceof CelError) return value;
  if (value instanceof Optional) {
    if (value.value === undefined) return none;
    value = value.value;
  }
  for (const { key: keyOrEvaluate, isOptional: isQuestioned, isTest } of qualifiers) {
    isOptional ||= isQuestioned;
    const key = typeof keyOrEvaluate === 'function' ? keyOrEvaluate(run) : keyOrEvaluate;
    if (key instanceof CelError) {
      if (!isOptional) run.spend(1);
      return key;
    }
    if (!isOptional || isTest) run.spend(1);
    const found: Value | undefined = qualify(value, key, isOptional || isTest);
    if (found instanceof CelError) return found;
    if (isTest) return isOptional ? (found === undefined ? none : new Optional(true)) : found !== undefined;
    if (found === undefined) return none;
    if (isOptional) run.spend(1);
    value = found;
  }
  return isOptional ? new Optional(value) : value;
}
