/** The names that are visible where an expression is checked. */

import type { FunctionDeclaration } from '../declarations/declaration.ts';
import type { CelType } from '../types/type.ts';
import type { Value } from '../values/value.ts';

export interface VariableDeclaration {
  readonly name: string;
  readonly type: CelType;
  /** A constant's value. */
  readonly value?: Value;
}

/** Finds struct types by name, and their fields. */
export interface TypeProvider {
  readonly findStruct: (name: string) => CelType | undefined;
  readonly findField: (structName: string, field: string) => CelType | undefined;
  /** Makes the value of `Name{field: …}`. */
  readonly construct?: (structName: string, fields: ReadonlyMap<string, Value>) => Value;
  /** The value of an enum constant, by its full name. */
  readonly findConstant?: (name: string) => number | undefined;
}

export interface Scope {
  readonly container: string;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly provider: TypeProvider;
  /** Names of types: `int`, `google.protobuf.Timestamp`. */
  readonly typeNames: ReadonlyMap<string, CelType>;
  /** Innermost first. */
  readonly variables: readonly ReadonlyMap<string, VariableDeclaration>[];
  /** Whether ints, uints and doubles can be compared with one another. */
  readonly crossTypeComparison: boolean;
}

/** In the container `a.b`, the name `x` may be `a.b.x`, `a.x` or `x`; with a leading dot it is `x`. */
export function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  if (container === '') return [name];
  const candidates: string[] = [];
  for (
    let prefix = container;
    prefix !== '';
    prefix = prefix.slice(0, Math.max(prefix.lastIndexOf('.'), 0))
  ) {
    candidates.push(`${prefix}.${name}`);
  }
  return [...candidates, name];
}
