import { Duration } from './duration.ts';
import { CelError, noSuchOverload } from './error.ts';
import { Timestamp } from './timestamp.ts';
import type { Value } from './value.ts';

/** Types with methods of their own don't include the function in the error. */
const hasMethods = (value: Value): boolean =>
  typeof value === 'string' || value instanceof Timestamp || value instanceof Duration;

/** The error of an operator or a function whose first argument has the wrong type. */
export const unsupported = (name: string, first: Value): CelError =>
  hasMethods(first) ? noSuchOverload : new CelError(`no such overload: ${name}`);
