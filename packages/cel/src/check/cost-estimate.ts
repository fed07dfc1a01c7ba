/** Estimates the minimum and maximum cost of an expression from types and sizes alone. */

import type {
  Call,
  Comprehension,
  Expression,
  ListExpression,
  LiteralValue,
  MapExpression,
  Select,
} from '../syntax/expression.ts';
import { accumulatorName } from '../syntax/macro.ts';
import { countCodePoints } from '../values/code-points.ts';
import { dynType, type CelType } from '../types/type.ts';
import { estimateCall, type CallEstimate, type Operand } from './call-estimate.ts';
import type { CheckedExpression } from './checker.ts';
import {
  add,
  fixed,
  scale,
  unbounded,
  union,
  unknownSize,
  zero,
  multiply,
  type CostEstimate,
  type SizeEstimate,
} from './cost-range.ts';
import type { SizeHints } from './size-hints.ts';

export function estimateCost(checked: CheckedExpression, hints: SizeHints): CostEstimate {
  return new Estimator(checked, hints).cost(checked.expression);
}

/** The sizes of a list's elements, or of a map's keys and values. */
interface EntrySize {
  readonly isList: boolean;
  readonly key: SizeEstimate;
  readonly value: SizeEstimate;
}

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: SizeEstimate | undefined;
  readonly entrySize: EntrySize | undefined;
}

const nameCost = fixed(1);
const listCost = fixed(10);
const mapCost = fixed(30);
const structCost = fixed(40);

/** The neutral element of a union of sizes. */
const noSize = (isEmpty: boolean): SizeEstimate => ({ min: isEmpty ? 0 : unbounded, max: 0 });

class Estimator {
  readonly #checked: CheckedExpression;
  readonly #hints: SizeHints;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, SizeEstimate>();
  readonly #entrySizes = new Map<number, EntrySize>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(checked: CheckedExpression, hints: SizeHints) {
    this.#checked = checked;
    this.#hints = hints;
  }

  cost(expression: Expression): CostEstimate {
    switch (expression.kind) {
      case 'identifier':
        this.#paths.set(expression.id, this.#peek(expression.name)?.path ?? [expression.name]);
        return nameCost;
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'struct':
        return expression.fields.reduce((sum, field) => add(sum, this.cost(field.value)), structCost);
      case 'comprehension':
        return isBinding(expression) ? this.#binding(expression) : this.#comprehension(expression);
      default:
        return zero;
    }
  }

  #select({ id, operand, field, isTest }: Select): CostEstimate {
    const operandCost = this.cost(operand);
    if (isTest) return operandCost;
    this.#paths.set(id, [...this.#pathOf(operand), field]);
    const isCounted = ['map', 'struct', 'typeParameter'].includes(this.#typeOf(operand).kind);
    return isCounted ? add(operandCost, nameCost) : operandCost;
  }

  #call(call: Call): CostEstimate {
    if (call.function === 'dyn') return this.#dyn(call);
    const argumentCosts = call.arguments.map((argument) => this.cost(argument));
    const args = call.arguments.map((argument) => this.#operand(argument));
    const overloads = this.#checked.references[call.id]?.overloads ?? [];
    if (overloads.length === 0) return zero;
    const targetCost = call.target ? this.cost(call.target) : zero;
    const target = call.target && this.#operand(call.target);
    let cost: CostEstimate = { min: unbounded, max: 0 };
    let resultSize: SizeEstimate | undefined;
    for (const overload of overloads) {
      const estimate = this.#estimate(call, overload, target, args, argumentCosts);
      cost = union(cost, estimate.cost);
      if (estimate.resultSize)
        resultSize = resultSize ? union(resultSize, estimate.resultSize) : estimate.resultSize;
      resultSize = this.#indexed(call, overload, resultSize) ?? this.#sizeOf(call);
    }
    if (resultSize) this.#sizes.set(call.id, resultSize);
    return add(targetCost, cost);
  }

  /** An element has the size and the path of the list's or map's elements. */
  #indexed(call: Call, overload: string, resultSize: SizeEstimate | undefined): SizeEstimate | undefined {
    if (overload !== 'index_list' && overload !== 'index_map') return resultSize;
    const [container] = call.arguments;
    const step = overload === 'index_list' ? '@items' : '@values';
    this.#paths.set(call.id, [...this.#pathOf(container!), step]);
    return this.#entrySizeOf(container!)?.value;
  }

  #dyn(call: Call): CostEstimate {
    const [argument] = call.arguments;
    const cost = add(fixed(1), this.cost(argument!));
    this.#copySizes(call, argument!);
    return cost;
  }

  #estimate(
    call: Call,
    overload: string,
    target: Operand | undefined,
    args: readonly Operand[],
    argumentCosts: readonly CostEstimate[],
  ): CallEstimate {
    const library = estimateCall(call.function, overload, target, args, (path) => this.#hints.sizeAt(path));
    const sum = argumentCosts.reduce(add, zero);
    if (library) return { ...library, cost: add(library.cost, sum) };
    const [first, second, third] = argumentCosts;
    switch (overload) {
      case 'logical_and':
      case 'logical_or':
        return { cost: { min: first!.min, max: add(first!, second!).max } };
      case 'conditional':
        return this.#conditional(call, args, add(first!, union(second!, third!)));
      case 'add_string':
      case 'add_bytes':
      case 'add_list':
        return this.#addition(call, overload, args, sum);
      default:
        return { cost: add(fixed(1), sum) };
    }
  }

  #conditional(call: Call, [, whenTrue, whenFalse]: readonly Operand[], cost: CostEstimate): CallEstimate {
    const entrySize = unionOfEntries(
      this.#entrySizeOf(whenTrue!.expression!),
      this.#entrySizeOf(whenFalse!.expression!),
    );
    if (entrySize) this.#entrySizes.set(call.id, entrySize);
    return { cost, resultSize: union(whenTrue!.size ?? unknownSize, whenFalse!.size ?? unknownSize) };
  }

  #addition(
    call: Call,
    overload: string,
    [left, right]: readonly Operand[],
    sum: CostEstimate,
  ): CallEstimate {
    const resultSize = add(left!.size ?? unknownSize, right!.size ?? unknownSize);
    const entrySize = unionOfEntries(
      this.#entrySizeOf(left!.expression!),
      this.#entrySizeOf(right!.expression!),
    );
    if (entrySize) this.#entrySizes.set(call.id, entrySize);
    const own = overload === 'add_list' ? fixed(1) : scale(resultSize, 0.1);
    return { cost: add(own, sum), resultSize };
  }

  #list(list: ListExpression): CostEstimate {
    let cost = zero;
    let value = noSize(list.elements.length === 0);
    for (const element of list.elements) {
      cost = add(cost, this.cost(element));
      value = union(value, this.#sizeOrUnknown(element));
    }
    this.#entrySizes.set(list.id, { isList: true, key: fixed(1), value });
    return add(cost, listCost);
  }

  #map(map: MapExpression): CostEstimate {
    let cost = zero;
    let key = noSize(map.entries.length === 0);
    let value = key;
    for (const entry of map.entries) {
      cost = add(add(cost, this.cost(entry.key)), this.cost(entry.value));
      key = union(key, this.#sizeOrUnknown(entry.key));
      value = union(value, this.#sizeOrUnknown(entry.value));
    }
    this.#entrySizes.set(map.id, { isList: false, key, value });
    return add(cost, mapCost);
  }

  #comprehension(fold: Comprehension): CostEstimate {
    const rangeCost = this.cost(fold.range);
    const initialCost = this.cost(fold.initial);
    this.#push(fold.accumulator, this.#accumulator(fold.initial));
    this.#pushIterationVariables(fold);
    const loopCost = add(this.cost(fold.condition), this.cost(fold.step));
    this.#pop(fold.variable);
    if (fold.secondVariable !== '') this.#pop(fold.secondVariable);
    const resultCost = this.cost(fold.result);
    this.#pop(fold.accumulator);
    const count = this.#sizeOrUnknown(fold.range);
    this.#setSizeOfResult(fold, count);
    return [initialCost, resultCost, multiply(count, loopCost)].reduce(add, rangeCost);
  }

  #setSizeOfResult(fold: Comprehension, count: SizeEstimate): void {
    if (fold.initial.kind === 'literal') {
      const size = this.#sizeOf(fold.initial);
      if (size) this.#sizes.set(fold.id, size);
    }
    if (fold.initial.kind !== 'list' && fold.initial.kind !== 'map') return;
    this.#sizes.set(fold.id, count);
    const entrySize = this.#entrySizeOf(fold.step);
    if (entrySize) this.#entrySizes.set(fold.id, entrySize);
  }

  #pushIterationVariables(fold: Comprehension): void {
    const entrySize = this.#entrySizeOf(fold.range);
    const isList = entrySize ? entrySize.isList : this.#typeOf(fold.range).kind === 'list';
    const path = this.#pathOf(fold.range);
    const push = (name: string, step: string, size: SizeEstimate | undefined): void =>
      this.#push(name, { path: [...path, step], size, entrySize: undefined });
    const values = isList ? '@items' : '@values';
    if (fold.secondVariable !== '') {
      push(fold.variable, isList ? '@indices' : '@keys', entrySize?.key);
      push(fold.secondVariable, values, entrySize?.value);
    } else if (isList) push(fold.variable, '@items', entrySize?.value);
    else push(fold.variable, '@keys', entrySize?.key);
  }

  /** A comprehension over an empty list, of which only the result matters: the way to bind a name to a value. */
  #binding(fold: Comprehension): CostEstimate {
    const cost = add(this.cost(fold.range), this.cost(fold.initial));
    this.#push(fold.accumulator, this.#accumulator(fold.initial));
    const total = add(cost, this.cost(fold.result));
    this.#pop(fold.accumulator);
    this.#copySizes(fold, fold.result);
    return total;
  }

  #accumulator(initial: Expression): LocalVariable {
    return {
      path: this.#pathOf(initial),
      size: this.#sizeOf(initial),
      entrySize: this.#entrySizeOf(initial),
    };
  }

  #operand(expression: Expression): Operand {
    const path = this.#pathOf(expression);
    const isAccumulated = path[0] === accumulatorName || path[0] === '__result__';
    return {
      path: isAccumulated ? [] : path,
      type: this.#typeOf(expression),
      expression,
      size: this.#sizeOf(expression),
    };
  }

  #sizeOrUnknown(expression: Expression): SizeEstimate {
    return this.#sizeOf(expression) ?? unknownSize;
  }

  #sizeOf(expression: Expression): SizeEstimate | undefined {
    const known = this.#sizes.get(expression.id) ?? sizeOfLiteral(expression);
    if (known) return known;
    const hint = this.#hints.sizeAt(this.#pathOf(expression));
    if (hint) {
      this.#sizes.set(expression.id, hint);
      return hint;
    }
    if (isScalar(this.#typeOf(expression))) return fixed(1);
    return expression.kind === 'identifier' ? this.#peek(expression.name)?.size : undefined;
  }

  #entrySizeOf(expression: Expression): EntrySize | undefined {
    const known = this.#entrySizes.get(expression.id);
    if (known) return known;
    return expression.kind === 'identifier' ? this.#peek(expression.name)?.entrySize : undefined;
  }

  #copySizes(to: Expression, from: Expression): void {
    const size = this.#sizeOf(from);
    if (size) this.#sizes.set(to.id, size);
    const entrySize = this.#entrySizeOf(from);
    if (entrySize) this.#entrySizes.set(to.id, entrySize);
  }

  #pathOf(expression: Expression): readonly string[] {
    const local = expression.kind === 'identifier' ? this.#peek(expression.name) : undefined;
    return local?.path ?? this.#paths.get(expression.id) ?? [];
  }

  #typeOf(expression: Expression): CelType {
    return this.#checked.types[expression.id] ?? dynType;
  }

  #peek(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, variable: LocalVariable): void {
    const stack = this.#locals.get(name);
    if (stack) stack.push(variable);
    else this.#locals.set(name, [variable]);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }
}

const isBinding = ({ range, condition, accumulator }: Comprehension): boolean =>
  range.kind === 'list' &&
  range.elements.length === 0 &&
  condition.kind === 'literal' &&
  condition.value === false &&
  accumulator !== '__result__';

function unionOfEntries(one: EntrySize | undefined, other: EntrySize | undefined): EntrySize | undefined {
  if (!one || !other) return undefined;
  return { isList: one.isList, key: union(one.key, other.key), value: union(one.value, other.value) };
}

function sizeOfLiteral(expression: Expression): SizeEstimate | undefined {
  if (expression.kind === 'list') return fixed(expression.elements.length);
  if (expression.kind === 'map') return fixed(expression.entries.length);
  return expression.kind === 'literal' ? fixed(literalSize(expression.value)) : undefined;
}

function literalSize(value: LiteralValue): number {
  if (typeof value === 'string') return countCodePoints(value);
  return value instanceof Uint8Array ? value.length : 1;
}

const scalars: ReadonlySet<CelType['kind']> = new Set([
  'bool',
  'double',
  'duration',
  'int',
  'timestamp',
  'uint',
]);

function isScalar(type: CelType): boolean {
  if (type.kind === 'opaque' && type.name === 'optional_type') return isScalar(type.parameters[0]!);
  return scalars.has(type.kind);
}
