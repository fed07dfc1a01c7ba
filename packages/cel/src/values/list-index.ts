import { Double } from './double.ts';
import { CelError } from './error.ts';
import { typeNameOf } from './type-of.ts';
import { Uint } from './uint.ts';
import type { Value } from './value.ts';

/** A key as the index of a list's element: an integral number of any numeric type. */
export function indexOf(key: Value): number | CelError {
  if (typeof key === 'number') return key;
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof Uint) return Number(key.value);
  if (key instanceof Double) {
    return Number.isInteger(key.value)
      ? key.value
      : new CelError(`unsupported index value ${key.value} in list`);
  }
  return new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
}
