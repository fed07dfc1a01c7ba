/** Operators that don't always evaluate all of their operands. */

import { CelError, noSuchOverload } from '../values/error.ts';
import { Optional, type Value } from '../values/value.ts';
import type { Evaluate } from './run.ts';

/** False takes precedence over an error. */
export const planAnd =
  (left: Evaluate, right: Evaluate): Evaluate =>
  (run) => {
    const one = left(run);
    if (one === false) return false;
    const other = right(run);
    if (other === false) return false;
    if (one === true && other === true) return true;
    return errorOf(one === true ? other : one);
  };

/** True takes precedence over an error. */
export const planOr =
  (left: Evaluate, right: Evaluate): Evaluate =>
  (run) => {
    const one = left(run);
    if (one === true) return true;
    const other = right(run);
    if (other === true) return true;
    if (one === false && other === false) return false;
    return errorOf(one === false ? other : one);
  };

const errorOf = (value: Value): CelError => (value instanceof CelError ? value : noSuchOverload);

/** `optional.or(optional)` and `optional.orValue(value)`: the right side is evaluated only if the left one is none. */
export const planOptionalOr =
  (left: Evaluate, right: Evaluate, isValue: boolean): Evaluate =>
  (run) => {
    const optional = left(run);
    if (!(optional instanceof Optional)) return optional;
    if (optional.value === undefined) return right(run);
    return isValue ? optional.value : optional;
  };
