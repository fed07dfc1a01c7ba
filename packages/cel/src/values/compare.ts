/** The order of values of one type, and of numbers of any type. */

import { Double } from './double.ts';
import { Duration } from './duration.ts';
import { CelError, noSuchOverload } from './error.ts';
import { isInt, type Int } from './int.ts';
import { Timestamp, timestampNanoseconds } from './timestamp.ts';
import { typeNameOf } from './type-of.ts';
import { Uint } from './uint.ts';
import type { Value } from './value.ts';

/** @returns -1, 0 or 1, or an error when the values have no order */
export function compareValues(one: Value, other: Value): number | CelError {
  if (typeof one === 'string') return typeof other === 'string' ? compareTexts(one, other) : noSuchOverload;
  if (isNumber(one)) return isNumber(other) ? compareNumbers(one, other) : noSuchOverload;
  if (typeof one === 'boolean')
    return typeof other === 'boolean' ? order(Number(one), Number(other)) : noSuchOverload;
  if (one instanceof Uint8Array)
    return other instanceof Uint8Array ? compareBytes(one, other) : noSuchOverload;
  if (one instanceof Timestamp) {
    if (!(other instanceof Timestamp)) return noSuchOverload;
    return order(timestampNanoseconds(one), timestampNanoseconds(other));
  }
  if (one instanceof Duration) {
    return other instanceof Duration ? order(one.nanoseconds, other.nanoseconds) : noSuchOverload;
  }
  return new CelError(`no such overload: ${typeNameOf(one)}`);
}

export const isNumber = (value: Value): value is Int | Uint | Double =>
  isInt(value) || value instanceof Uint || value instanceof Double;

export const isComparable = (value: Value): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  isNumber(value) ||
  value instanceof Uint8Array ||
  value instanceof Timestamp ||
  value instanceof Duration;

function compareNumbers(one: Int | Uint | Double, other: Int | Uint | Double): number | CelError {
  if (isNan(one) || isNan(other)) return new CelError('NaN values cannot be ordered');
  const [left, right] = plainNumbers(one, other);
  return order(left, right);
}

const isNan = (value: Int | Uint | Double): boolean => value instanceof Double && Number.isNaN(value.value);

type AnyNumber = Int | Uint | Double;

/** Integers are compared exactly, which JavaScript does with bigints as well; with a double, as doubles. */
export function plainNumbers(one: AnyNumber, other: AnyNumber): [number | bigint, number | bigint] {
  if (one instanceof Double !== other instanceof Double) return [Number(plain(one)), Number(plain(other))];
  return [plain(one), plain(other)];
}

const plain = (value: AnyNumber): number | bigint => (isInt(value) ? value : value.value);

const order = <Ordered extends number | bigint>(one: Ordered, other: Ordered): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** By UTF-8, which equals the order of code points. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    if (one.charCodeAt(index) === other.charCodeAt(index)) continue;
    return order(rank(one.charCodeAt(index)), rank(other.charCodeAt(index)));
  }
  return order(one.length, other.length);
}

/** Surrogates follow all other code units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    if (one[index] !== other[index]) return order(one[index]!, other[index]!);
  }
  return order(one.length, other.length);
}
