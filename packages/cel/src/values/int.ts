/**
 * A signed 64-bit integer: a number if that is exact, otherwise a bigint. Each value has only one form, so that `===`
 * compares ints. Decoded JSON has its integers in the same two forms.
 */
export type Int = number | bigint;

export const intMax = (1n << 63n) - 1n;
export const intMin = -(1n << 63n);

export const isInt = (value: unknown): value is Int => typeof value === 'number' || typeof value === 'bigint';

/** @returns undefined when the value needs more than 64 bits */
export function intFromBigInt(value: bigint): Int | undefined {
  if (value >= -9007199254740991n && value <= 9007199254740991n) return Number(value);
  return value > intMax || value < intMin ? undefined : value;
}

/** Decimal or `0x` hexadecimal digits with an optional sign. */
export function intFromText(text: string): Int | undefined {
  const digits = text.replace(/^[+-]/, '');
  const magnitude = BigInt(digits);
  return intFromBigInt(text.startsWith('-') ? -magnitude : magnitude);
}

const overflow = undefined;

export function addInts(one: Int, other: Int): Int | undefined {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return intFromBigInt(BigInt(one) + BigInt(other));
}

export function subtractInts(one: Int, other: Int): Int | undefined {
  if (typeof one === 'number' && typeof other === 'number') {
    const difference = one - other;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return intFromBigInt(BigInt(one) - BigInt(other));
}

export function multiplyInts(one: Int, other: Int): Int | undefined {
  if (typeof one === 'number' && typeof other === 'number') {
    const product = one * other;
    if (Number.isSafeInteger(product)) return product === 0 ? 0 : product;
  }
  return intFromBigInt(BigInt(one) * BigInt(other));
}

/** Truncates towards zero; the divisor is not zero. */
export function divideInts(one: Int, other: Int): Int | undefined {
  if (typeof one === 'number' && typeof other === 'number') return Math.trunc(one / other) + 0;
  return intFromBigInt(BigInt(one) / BigInt(other));
}

/** The sign is the dividend's; the divisor is not zero. */
export function remainderOfInts(one: Int, other: Int): Int | undefined {
  if (typeof one === 'number' && typeof other === 'number') return (one % other) + 0;
  if (BigInt(one) === intMin && other === -1) return overflow;
  return intFromBigInt(BigInt(one) % BigInt(other));
}

export const negateInt = (value: Int): Int | undefined =>
  typeof value === 'number' ? 0 - value : intFromBigInt(-value);
