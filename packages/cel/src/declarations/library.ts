/** A library of an environment: functions, macros and names. */

import type { Macro } from '../syntax/macro.ts';
import type { CelType } from '../types/type.ts';
import type { FunctionDeclaration } from './declaration.ts';

export interface Library {
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Types whose names are values: `int`, `net.IP`. */
  readonly typeNames?: Readonly<Record<string, CelType>>;
  /** The index of a function's argument that is a regular expression: literals are compiled with the program. */
  readonly regularExpressions?: Readonly<Record<string, number>>;
}
