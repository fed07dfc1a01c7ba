/** Arithmetic with overflow checks of 64-bit integers, and `+` and `-` of other types. */

import { Double } from './double.ts';
import { Duration, isDurationInRange } from './duration.ts';
import { CelError, noSuchOverload } from './error.ts';
import {
  addInts,
  divideInts,
  isInt,
  multiplyInts,
  negateInt,
  remainderOfInts,
  subtractInts,
  type Int,
} from './int.ts';
import { ConcatenatedList, GrowingList } from './list.ts';
import { ListValue, type Value } from './value.ts';
import { Timestamp, timestampFromNanoseconds, timestampNanoseconds } from './timestamp.ts';
import { Uint, uintMax } from './uint.ts';
import { unsupported } from './unsupported.ts';

const integerOverflow = new CelError('integer overflow');
const unsignedOverflow = new CelError('unsigned integer overflow');
const timestampOverflow = new CelError('timestamp overflow');
const divisionByZero = new CelError('division by zero');
const modulusByZero = new CelError('modulus by zero');

const checkedInt = (value: Int | undefined): Value => value ?? integerOverflow;
const checkedUint = (value: bigint): Value =>
  value < 0n || value > uintMax ? unsignedOverflow : new Uint(value);
const checkedDuration = (nanoseconds: bigint): Value =>
  isDurationInRange(nanoseconds) ? new Duration(nanoseconds) : integerOverflow;
const checkedTimestamp = (nanoseconds: bigint, { offsetMinutes }: Timestamp): Value =>
  timestampFromNanoseconds(nanoseconds, offsetMinutes) ?? timestampOverflow;

export function addValues(one: Value, other: Value): Value {
  if (isInt(one)) return isInt(other) ? checkedInt(addInts(one, other)) : noSuchOverload;
  if (typeof one === 'string') return typeof other === 'string' ? one + other : noSuchOverload;
  if (one instanceof ListValue) return other instanceof ListValue ? addLists(one, other) : noSuchOverload;
  if (one instanceof Double)
    return other instanceof Double ? new Double(one.value + other.value) : noSuchOverload;
  if (one instanceof Uint)
    return other instanceof Uint ? checkedUint(one.value + other.value) : noSuchOverload;
  if (one instanceof Uint8Array) return other instanceof Uint8Array ? joinBytes(one, other) : noSuchOverload;
  if (one instanceof Duration) {
    if (other instanceof Duration) return checkedDuration(one.nanoseconds + other.nanoseconds);
    if (other instanceof Timestamp)
      return checkedTimestamp(timestampNanoseconds(other) + one.nanoseconds, other);
    return noSuchOverload;
  }
  if (one instanceof Timestamp) {
    if (!(other instanceof Duration)) return noSuchOverload;
    return checkedTimestamp(timestampNanoseconds(one) + other.nanoseconds, one);
  }
  return unsupported('_+_', one);
}

function addLists(one: ListValue, other: ListValue): Value {
  if (one instanceof GrowingList) {
    one.append(other);
    return one;
  }
  if (one.concatLike) return one.concatLike(other);
  if (one.size === 0) return other;
  return other.size === 0 ? one : new ConcatenatedList(one, other);
}

function joinBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  const joined = new Uint8Array(one.length + other.length);
  joined.set(one);
  joined.set(other, one.length);
  return joined;
}

export function subtractValues(one: Value, other: Value): Value {
  if (isInt(one)) return isInt(other) ? checkedInt(subtractInts(one, other)) : noSuchOverload;
  if (one instanceof Double)
    return other instanceof Double ? new Double(one.value - other.value) : noSuchOverload;
  if (one instanceof Uint)
    return other instanceof Uint ? checkedUint(one.value - other.value) : noSuchOverload;
  if (one instanceof Duration) {
    return other instanceof Duration ? checkedDuration(one.nanoseconds - other.nanoseconds) : noSuchOverload;
  }
  if (one instanceof Timestamp) {
    if (other instanceof Duration)
      return checkedTimestamp(timestampNanoseconds(one) - other.nanoseconds, one);
    if (!(other instanceof Timestamp)) return noSuchOverload;
    return checkedDuration(timestampNanoseconds(one) - timestampNanoseconds(other));
  }
  return unsupported('_-_', one);
}

export function multiplyValues(one: Value, other: Value): Value {
  if (isInt(one)) return isInt(other) ? checkedInt(multiplyInts(one, other)) : noSuchOverload;
  if (one instanceof Double)
    return other instanceof Double ? new Double(one.value * other.value) : noSuchOverload;
  if (one instanceof Uint)
    return other instanceof Uint ? checkedUint(one.value * other.value) : noSuchOverload;
  return unsupported('_*_', one);
}

export function divideValues(one: Value, other: Value): Value {
  if (isInt(one)) {
    if (!isInt(other)) return noSuchOverload;
    return other === 0 ? divisionByZero : checkedInt(divideInts(one, other));
  }
  if (one instanceof Double)
    return other instanceof Double ? new Double(one.value / other.value) : noSuchOverload;
  if (one instanceof Uint) {
    if (!(other instanceof Uint)) return noSuchOverload;
    return other.value === 0n ? divisionByZero : new Uint(one.value / other.value);
  }
  return unsupported('_/_', one);
}

export function remainderOfValues(one: Value, other: Value): Value {
  if (isInt(one)) {
    if (!isInt(other)) return noSuchOverload;
    return other === 0 ? modulusByZero : checkedInt(remainderOfInts(one, other));
  }
  if (one instanceof Uint) {
    if (!(other instanceof Uint)) return noSuchOverload;
    return other.value === 0n ? modulusByZero : new Uint(one.value % other.value);
  }
  return unsupported('_%_', one);
}

export function negateValue(value: Value): Value {
  if (isInt(value)) return checkedInt(negateInt(value));
  if (value instanceof Double) return new Double(-value.value);
  if (typeof value === 'boolean') return !value;
  return value instanceof Duration ? checkedDuration(-value.nanoseconds) : unsupported('-_', value);
}
