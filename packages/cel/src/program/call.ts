/** Calls of functions. */

import type { Scope } from '../check/scope.ts';
import { compileRegularExpression } from '../formats/regular-expression.ts';
import type { Call } from '../syntax/expression.ts';
import type { FunctionDeclaration, Overload } from '../declarations/declaration.ts';
import { equalValues, isUncomparable } from '../values/equal.ts';
import { CelError, noSuchOverload } from '../values/error.ts';
import { ListValue, type Value } from '../values/value.ts';
import { canonicalKey } from '../values/map.ts';
import { typeNameOf } from '../values/type-of.ts';
import { callCost, comparisonCost } from './call-cost.ts';
import type { CallCost } from './text-cost.ts';
import { isLibraryValue } from './library-call-cost.ts';
import { matches } from './match-type.ts';
import { constantNode, type Node } from './node.ts';
import { ProgramError } from './program-error.ts';
import { Run, type Evaluate } from './run.ts';

type Implementation = (...args: Value[]) => Value;

const conversions = new Set('bool bytes double duration dyn int string timestamp type uint'.split(' '));

export function planCall(
  call: Call,
  args: readonly Node[],
  overloads: readonly string[],
  scope: Scope,
  regularExpressions: Readonly<Record<string, number>>,
): Node {
  const overloadId = overloads.length === 1 ? overloads[0]! : '';
  if (call.function === '@in' && overloadId === 'in_list') {
    const optimized = planMembership(args[0]!, args[1]!);
    if (optimized) return optimized;
  }
  const hasPattern = checkPattern(args[regularExpressions[call.function] ?? -1]);
  const evaluate = evaluateCall(call, args, overloadId, scope, hasPattern);
  if (!conversions.has(call.function) || args.length !== 1 || args[0]!.constant === undefined)
    return { evaluate };
  const value = evaluate(new Run({}, Infinity));
  if (value instanceof CelError) throw new ProgramError(value.message);
  return constantNode(value);
}

/** Compiles a literal pattern with the program; returns whether there is one. */
function checkPattern(argument: Node | undefined): boolean {
  if (typeof argument?.constant !== 'string') return false;
  const compiled = compileRegularExpression(argument.constant);
  if (compiled instanceof CelError) throw new ProgramError(compiled.message);
  return true;
}

/** `x in [constants]`: looked up by key, for the cost of `x` alone. */
function planMembership(item: Node, list: Node): Node | undefined {
  const constant = list.constant;
  if (!(constant instanceof ListValue)) return undefined;
  if (constant.size === 0) return constantNode(false);
  const keys = new Set<unknown>();
  for (const member of constant.items()) {
    const key = canonicalKey(member);
    if (key === undefined) return undefined;
    keys.add(key);
  }
  return {
    evaluate: (run) => {
      const value = item.evaluate(run);
      return value instanceof CelError ? value : keys.has(canonicalKey(value));
    },
  };
}

function evaluateCall(
  call: Call,
  args: readonly Node[],
  overloadId: string,
  scope: Scope,
  hasPattern: boolean,
): Evaluate {
  const evaluates = args.map((arg) => arg.evaluate);
  const [first, second] = evaluates;
  if (call.function === '_==_') return planEquality(first!, second!, true);
  if (call.function === '_!=_') return planEquality(first!, second!, false);
  const declaration = scope.functions.get(call.function);
  const chosen = implementationOf(call.function, declaration, overloadId, args.length);
  const { implementation } = chosen;
  const isVariadic = chosen.isVariadic || hasPattern;
  const cost = callCost(call.function, overloadId);
  if (call.function === '@not_strictly_false') return planNotStrictlyFalse(first!);
  if (args.length === 1 && !isVariadic) return unary(first!, implementation, cost);
  if (args.length === 2 && !isVariadic) {
    const compare = numberComparisons[call.function];
    return compare && !cost
      ? planComparison(first!, second!, implementation, compare)
      : binary(first!, second!, implementation, cost);
  }
  return variadic(evaluates, implementation, cost);
}

/** An error counts as true here: a comprehension continues. */
const planNotStrictlyFalse =
  (argument: Evaluate): Evaluate =>
  (run) => {
    const value = argument(run);
    run.spend(1);
    return value !== false;
  };

function planEquality(left: Evaluate, right: Evaluate, expected: boolean): Evaluate {
  return (run) => {
    const one = left(run);
    const other = right(run);
    const isUnit = expected && isLibraryValue(one);
    run.spend(isUnit ? 1 : comparisonCost(one, other));
    if (one instanceof CelError) return one;
    if (other instanceof CelError) return other;
    if (isUncomparable(one, other)) return expected ? noSuchOverload : true;
    return equalValues(one, other) === expected;
  };
}

const numberComparisons: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '_<_': (one, other) => one < other,
  '_<=_': (one, other) => one <= other,
  '_>_': (one, other) => one > other,
  '_>=_': (one, other) => one >= other,
};

function planComparison(
  left: Evaluate,
  right: Evaluate,
  implementation: Implementation,
  compare: (one: number, other: number) => boolean,
): Evaluate {
  return (run) => {
    const one = left(run);
    const other = right(run);
    run.spend(1);
    if (typeof one === 'number' && typeof other === 'number') return compare(one, other);
    if (one instanceof CelError) return one;
    if (other instanceof CelError) return other;
    return implementation(one, other);
  };
}

function unary(argument: Evaluate, implementation: Implementation, cost: CallCost | undefined): Evaluate {
  return (run) => {
    const value = argument(run);
    const result = value instanceof CelError ? value : implementation(value);
    run.spend(cost ? cost([value], result) : 1);
    return result;
  };
}

function binary(
  left: Evaluate,
  right: Evaluate,
  implementation: Implementation,
  cost: CallCost | undefined,
): Evaluate {
  return (run) => {
    const one = left(run);
    const other = right(run);
    const result =
      one instanceof CelError ? one : other instanceof CelError ? other : implementation(one, other);
    run.spend(cost ? cost([one, other], result) : 1);
    return result;
  };
}

/** Stops at the first error, which costs nothing more unless it is the last argument's. */
function variadic(
  args: readonly Evaluate[],
  implementation: Implementation,
  cost: CallCost | undefined,
): Evaluate {
  return (run) => {
    const values: Value[] = [];
    for (const argument of args) {
      const value = argument(run);
      values.push(value);
      if (!(value instanceof CelError)) continue;
      if (values.length === args.length) run.spend(cost ? cost(values, value) : 1);
      return value;
    }
    const result = implementation(...values);
    run.spend(cost ? cost(values, result) : 1);
    return result;
  };
}

interface Chosen {
  readonly implementation: Implementation;
  readonly isVariadic: boolean;
}

function implementationOf(
  name: string,
  declaration: FunctionDeclaration | undefined,
  overloadId: string,
  argumentCount: number,
): Chosen {
  if (declaration?.evaluate) return { implementation: declaration.evaluate, isVariadic: argumentCount > 2 };
  const only = declaration?.overloads.find((candidate) => candidate.id === overloadId);
  if (only)
    return { implementation: dispatch(name, [only]), isVariadic: argumentCount > 2 || argumentCount === 0 };
  const candidates = (declaration?.overloads ?? []).filter(
    (candidate) => candidate.arguments.length === argumentCount,
  );
  return { implementation: dispatch(name, candidates), isVariadic: true };
}

/** The first overload whose types match the arguments. */
function dispatch(name: string, candidates: readonly Overload[]): Implementation {
  const implemented = candidates.flatMap((candidate) => {
    const evaluate = candidate.evaluate as Implementation | undefined;
    return evaluate ? [{ evaluate, tests: candidate.arguments.map(matches) }] : [];
  });
  return (...args) => {
    for (const { evaluate, tests } of implemented) {
      let fits = true;
      for (let index = 0; fits && index < tests.length; index++) fits = tests[index]!(args[index]!);
      if (fits) return evaluate(...args);
    }
    return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
  };
}
