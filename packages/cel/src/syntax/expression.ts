/** The tree of an expression after macro expansion. */

import type { Uint } from '../values/uint.ts';
import type { Double } from '../values/double.ts';

/** An int is a number if that is exact, otherwise a bigint. */
export type LiteralValue = null | boolean | number | bigint | Uint | Double | string | Uint8Array;

export interface Literal {
  readonly kind: 'literal';
  readonly id: number;
  readonly value: LiteralValue;
}

export interface Identifier {
  readonly kind: 'identifier';
  readonly id: number;
  /** A leading dot means the root of the container; the checker replaces it by the resolved name. */
  name: string;
}

export interface Select {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expression;
  readonly field: string;
  /** `has(operand.field)` */
  readonly isTest: boolean;
}

export interface Call {
  readonly kind: 'call';
  readonly id: number;
  function: string;
  /** Absent for a global function; the checker removes it if the target is part of a qualified name. */
  target: Expression | undefined;
  readonly arguments: readonly Expression[];
}

export interface ListExpression {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expression[];
  /** The indices of elements written with a question mark. */
  readonly optionals: ReadonlySet<number>;
}

export interface MapEntry {
  readonly id: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly isOptional: boolean;
}

export interface MapExpression {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

export interface FieldEntry {
  readonly id: number;
  readonly name: string;
  readonly value: Expression;
  readonly isOptional: boolean;
}

export interface StructExpression {
  readonly kind: 'struct';
  readonly id: number;
  typeName: string;
  readonly fields: readonly FieldEntry[];
}

/** A fold over a list's elements or a map's keys (with two variables: indices and elements, keys and values). */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly range: Expression;
  readonly variable: string;
  /** '' if there is only one variable. */
  readonly secondVariable: string;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** A placeholder for a part with a reported error. */
export interface Unspecified {
  readonly kind: 'unspecified';
  readonly id: number;
}

export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListExpression
  | MapExpression
  | StructExpression
  | Comprehension
  | Unspecified;

/** `a.b.c` if the expression is nothing else. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind !== 'select' || expression.isTest) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}

/** Calls `visit` with the expression and everything below it, parents first. */
export function walk(expression: Expression, visit: (expression: Expression) => void): void {
  visit(expression);
  for (const child of childrenOf(expression)) walk(child, visit);
}

export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target ? [expression.target, ...expression.arguments] : expression.arguments;
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expression.fields.map((field) => field.value);
    case 'comprehension': {
      const { range, initial, condition, step, result } = expression;
      return [range, initial, condition, step, result];
    }
    default:
      return [];
  }
}
