/** The declarations of an environment: functions with their overloads, variables, constants. */

import type { Value } from '../values/value.ts';
import { parseSignature } from '../types/signature.ts';
import type { CelType } from '../types/type.ts';

export interface Overload {
  readonly id: string;
  /** Whether the first argument precedes the dot. */
  readonly isMember: boolean;
  readonly arguments: readonly CelType[];
  readonly result: CelType;
  readonly typeParameters: readonly string[];
  /** Absent if the function as a whole is implemented, or the program evaluates it itself. */
  readonly evaluate: Implementation | undefined;
}

/** Arguments are values of the overload's types, the target first. Errors are values too. */
export type Implementation = (...args: never[]) => Value;

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The implementation of all overloads; it may get values of any type. */
  readonly evaluate: ((...args: Value[]) => Value) | undefined;
}

/** @param signature `string.(int) -> string` for a member, `(int) -> string` for a global function */
export const overload = (id: string, signature: string, evaluate?: Implementation): Overload => ({
  id,
  ...parseSignature(signature),
  evaluate,
});

export const declareFunction = (
  name: string,
  overloads: readonly Overload[],
  evaluate?: (...args: Value[]) => Value,
): FunctionDeclaration => ({ name, overloads, evaluate });

/** Merges the declarations into one table; a function declared twice has the overloads of both. */
export function mergeFunctions(
  tables: readonly (readonly FunctionDeclaration[])[],
): ReadonlyMap<string, FunctionDeclaration> {
  const merged = new Map<string, FunctionDeclaration>();
  for (const declaration of tables.flat()) {
    const earlier = merged.get(declaration.name);
    merged.set(
      declaration.name,
      earlier
        ? {
            ...declaration,
            overloads: [...earlier.overloads, ...declaration.overloads],
            evaluate: earlier.evaluate ?? declaration.evaluate,
          }
        : declaration,
    );
  }
  return merged;
}
