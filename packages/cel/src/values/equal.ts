import { isNumber, plainNumbers } from './compare.ts';
import { Duration } from './duration.ts';
import { ListValue, MapValue, OpaqueValue, Optional, StructValue, type Value } from './value.ts';
import { Timestamp } from './timestamp.ts';
import { TypeValue } from './type-value.ts';

/** Values of different types are unequal, except that numbers compare as numbers. */
export function equalValues(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (typeof one === 'string' || typeof one === 'boolean' || one === null || other === null) return false;
  if (isNumber(one)) return isNumber(other) && equalNumbers(one, other);
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one instanceof ListValue) return other instanceof ListValue && equalLists(one, other);
  if (one instanceof MapValue) return equalMaps(one, other);
  if (one instanceof StructValue || one instanceof OpaqueValue) return one.equals(other);
  if (one instanceof Uint8Array) return other instanceof Uint8Array && equalBytes(one, other);
  if (one instanceof Timestamp) {
    return (
      other instanceof Timestamp && one.seconds === other.seconds && one.nanoseconds === other.nanoseconds
    );
  }
  if (one instanceof Duration) return other instanceof Duration && one.nanoseconds === other.nanoseconds;
  if (one instanceof TypeValue) return other instanceof TypeValue && one.type.name === other.type.name;
  return one instanceof Optional && other instanceof Optional && equalOptionals(one, other);
}

function equalNumbers(...numbers: Parameters<typeof plainNumbers>): boolean {
  const [left, right] = plainNumbers(...numbers);
  // With `==` a number and a bigint are compared by value.
  // oxlint-disable-next-line eqeqeq
  return left == right;
}

/** Whether `==` is an error instead of a boolean. */
export const isUncomparable = (one: Value, other: Value): boolean =>
  one instanceof OpaqueValue && other !== null && !one.isComparableTo(other);

/** As parts of a list or a map: there incomparable values don't count as different. */
const differ = (one: Value, other: Value): boolean => !isUncomparable(one, other) && !equalValues(one, other);

export function equalLists(one: ListValue, other: ListValue): boolean {
  if (one.equalsLike) return one.equalsLike(other);
  if (one.size !== other.size) return false;
  for (let index = 0; index < one.size; index++) {
    if (differ(one.at(index), other.at(index))) return false;
  }
  return true;
}

function equalMaps(one: MapValue, other: Value): boolean {
  if (other instanceof StructValue) return other.equals(one);
  if (!(other instanceof MapValue) || one.size !== other.size) return false;
  return one.keys().every((key) => {
    const found = other.get(key);
    return found !== undefined && !differ(one.get(key)!, found);
  });
}

const equalBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

function equalOptionals(one: Optional, other: Optional): boolean {
  if (one.value === undefined || other.value === undefined) return one.value === other.value;
  return equalValues(one.value, other.value);
}
