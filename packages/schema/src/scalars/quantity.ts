/**
 * resource.Quantity: fixed-point numbers with a suffix (`500m`, `1.5Gi`, `12e6`). A quantity is `unscaled × 10^scale`,
 * exact, together with the notation in which it was written and, where upstream keeps it, the original text.
 */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface Quantity {
  readonly unscaled: bigint;
  /** A power of ten. */
  readonly scale: number;
  readonly format: QuantityFormat;
  /** The original text, if it is passed on unchanged. */
  readonly text?: string;
}

export const zeroQuantity: Quantity = { unscaled: 0n, scale: 0, format: 'DecimalSI', text: '0' };

export const milliScale = -3;
const nanoScale = -9;

export const quantityFormatError =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const quantityNumericError = 'unable to parse numeric part of quantity';
const quantitySuffixError = "unable to parse quantity's suffix";

/**
 * Parses a quantity. Only upstream's JSON decoder ignores surrounding whitespace.
 * @throws Error with one of the three messages above
 */
export function parseQuantity(text: string): Quantity {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const quantity = parseUncached(text);
  if (parsed.size >= parsedCacheSizeMax) parsed.clear();
  if (text.length <= parsedTextLengthMax) parsed.set(text, quantity);
  return quantity;
}

/** The text that upstream returns for this input, which the decoder stores. */
export function canonicalQuantity(text: string): string {
  return isCanonicalAlready(text) ? text : formatQuantity(parseQuantity(text));
}

export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  if (quantity.format === 'BinarySI') {
    const binary = formatBinary(quantity);
    if (binary !== undefined) return binary;
  }
  return formatDecimal(quantity);
}

export const quantityOf = (value: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity => ({
  unscaled: BigInt(value),
  scale: 0,
  format,
});

export const milliQuantityOf = (milli: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity => ({
  unscaled: BigInt(milli),
  scale: milliScale,
  format,
});

/** Negative, zero or positive, as a is smaller than, equal to or greater than b. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.scale === b.scale) return compare(a.unscaled, b.unscaled);
  const signs = sign(a.unscaled) - sign(b.unscaled);
  if (signs !== 0) return signs;
  if (a.unscaled === 0n) return 0;
  // Magnitudes first, so that 1e2000000000 need not be expanded.
  const magnitudes = magnitude(a) - magnitude(b);
  if (magnitudes !== 0) return magnitudes * sign(a.unscaled);
  const scale = Math.min(a.scale, b.scale);
  return compare(atScale(a, scale), atScale(b, scale));
}

export const addQuantities = (a: Quantity, b: Quantity): Quantity => combine(a, b, 1n);
export const subtractQuantities = (a: Quantity, b: Quantity): Quantity => combine(a, b, -1n);

const negateQuantity = (quantity: Quantity): Quantity => ({
  unscaled: -quantity.unscaled,
  scale: quantity.scale,
  format: quantity.format,
});

/** The quantity without digits below `scale`, rounded away from zero. */
export function roundUpQuantity(quantity: Quantity, scale: number): Quantity {
  return quantity.scale >= scale
    ? quantity
    : { unscaled: atScale(quantity, scale), scale, format: quantity.format };
}

/** In whole units, rounded away from zero; only approximate beyond 2^53. */
export const quantityValue = (quantity: Quantity): number => Number(scaledValue(quantity, 0));

/** In thousandths, rounded away from zero; only approximate beyond 2^53. */
export const quantityMilliValue = (quantity: Quantity): number => Number(scaledValue(quantity, milliScale));

/** In units of 10^scale, rounded away from zero, exact. */
export function scaledValue(quantity: Quantity, scale: number): bigint {
  // Upstream's int64 overflows to zero for values that no int64 can represent.
  return quantity.scale - scale > int64DigitsMax && quantity.unscaled !== 0n ? 0n : atScale(quantity, scale);
}

/**
 * Whether upstream detects a fraction of a unit. It uses an int64 of thousandths: short decimals that are too large
 * count as whole, all others wrap around (so that `1Ei` is said to have a fraction).
 */
export function hasFraction(quantity: Quantity): boolean {
  const { unscaled, scale, format } = quantity;
  if (unscaled === 0n || scale - milliScale > int64DigitsMax) return false;
  const milli = atScale(quantity, milliScale);
  const wrapped = BigInt.asIntN(64, milli);
  if (wrapped !== milli && format !== 'BinarySI' && digitCount(unscaled) <= fastDigitsMax) return false;
  return wrapped % 1000n !== 0n;
}

/** The nearest float, ±Infinity when out of range. */
export function approximateFloat(quantity: Quantity): number {
  const base = Number(quantity.unscaled);
  return quantity.scale === 0 ? base : base * Number(`1e${quantity.scale}`);
}

export const isZeroQuantity = (quantity: Quantity): boolean => quantity.unscaled === 0n;

/** The maximum number of cached texts; a cluster uses few. */
const parsedCacheSizeMax = 4096;
const parsedTextLengthMax = 64;
const parsed = new Map<string, Quantity>();

/**
 * The number of digits that always fit an int64; upstream's fast path ends there, and its slow path prints differently.
 */
const fastDigitsMax = 18;
const int64DigitsMax = 19;
const int64Max = 2n ** 63n - 1n;
const int64Limit = 2n ** 63n;

interface Suffix {
  readonly format: QuantityFormat;
  /** A power of ten, or of two for BinarySI. */
  readonly exponent: number;
}

const decimalExponents = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binaryExponents = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const suffixesOf = (format: QuantityFormat, exponents: Readonly<Record<string, number>>) =>
  Object.entries(exponents).map(([name, exponent]): [string, Suffix] => [name, { format, exponent }]);
const namesOf = (exponents: Readonly<Record<string, number>>) =>
  new Map(Object.entries(exponents).map(([name, exponent]) => [exponent, name]));

const suffixes: ReadonlyMap<string, Suffix> = new Map([
  ...suffixesOf('DecimalSI', decimalExponents),
  ...suffixesOf('BinarySI', binaryExponents),
]);
const decimalSuffixOf = namesOf(decimalExponents);
const binarySuffixOf = namesOf(binaryExponents);

/** Short plain forms that are returned unchanged: `250m`, `3`, `1G`, `129Mi`. Every pod has some. */
function isCanonicalAlready(text: string): boolean {
  const length = text.length;
  let digits = 0;
  while (digits < length && isDigit(text.charCodeAt(digits))) digits++;
  if (digits === 0 || digits > 9 || text.charCodeAt(0) === 0x30) return text === '0';
  const suffix = suffixes.get(text.slice(digits));
  if (suffix === undefined) return false;
  return suffix.format === 'BinarySI'
    ? digits * bitsPerDigit + suffix.exponent < 63 && (Number(text.slice(0, digits)) & 7) !== 0
    : !(text.charCodeAt(digits - 1) === 0x30 && text.slice(0, digits).endsWith('000'));
}

const bitsPerDigit = Math.log2(10);

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Sign, integer digits without leading zeros, fraction, suffix, as upstream's scanner splits them. */
const shape = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;

function parseUncached(text: string): Quantity {
  if (text === '') throw new Error(quantityFormatError);
  if (text === '0') return zeroQuantity;
  const match = shape.exec(text);
  if (match === null) throw new Error(quantityFormatError);
  const [, signText, integer = '', fraction = '', suffixText = ''] = match;
  const suffix = interpretSuffix(suffixText);
  if (suffix === undefined) throw new Error(quantitySuffixError);
  const parts = {
    text,
    negative: signText === '-',
    integer: integer === '' ? '0' : integer,
    fraction,
    suffix,
  };
  return parseFast(parts) ?? parseExact(parts);
}

interface Parts {
  readonly text: string;
  readonly negative: boolean;
  readonly integer: string;
  readonly fraction: string;
  readonly suffix: Suffix;
}

function interpretSuffix(text: string): Suffix | undefined {
  const known = suffixes.get(text);
  if (known !== undefined) return known;
  if (!/^[eE][+-]?[0-9]+$/.test(text)) return undefined;
  const exponent = BigInt(text.charAt(1) === '+' ? text.slice(2) : text.slice(1));
  if (exponent > int64Max || exponent < -int64Limit) return undefined;
  return { format: 'DecimalExponent', exponent: Number(BigInt.asIntN(32, exponent)) };
}

/** A value that fits an int64 keeps its text if it is already in lowest terms; undefined when it doesn't fit. */
function parseFast({ text, negative, integer, fraction, suffix }: Parts): Quantity | undefined {
  const binary = suffix.format === 'BinarySI';
  const room = binary
    ? 15 - integer.length - Math.trunc((suffix.exponent * 3) / 10) - 1
    : fastDigitsMax - integer.length - fraction.length;
  if (room < 0 || (binary && fraction !== '')) return undefined;
  const scale = (binary ? 0 : suffix.exponent) - fraction.length;
  if (scale < nanoScale) return undefined;
  const digits = integer + fraction;
  const value = BigInt(digits);
  const unscaled = binary ? value << BigInt(suffix.exponent) : value;
  if (unscaled > int64Max) return undefined;
  const lowest = binary
    ? (value & 7n) !== 0n
    : scale % 3 === 0 && !digits.endsWith('000') && digits[0] !== '0';
  const quantity = { unscaled: negative ? -unscaled : unscaled, scale, format: suffix.format };
  return lowest ? { ...quantity, text } : quantity;
}

/** Everything else: rounded up to a nano, capped when binary, and printed again. */
function parseExact({ text, negative, integer, fraction, suffix }: Parts): Quantity {
  if (!/^[+-]?\.?[0-9]/.test(text)) throw new Error(quantityNumericError);
  const binary = suffix.format === 'BinarySI';
  const digits = BigInt(integer + fraction);
  let amount: Quantity = {
    unscaled: binary ? digits << BigInt(suffix.exponent) : digits,
    scale: (binary ? 0 : suffix.exponent) - fraction.length,
    format: suffix.format,
  };
  amount = roundUpQuantity(amount, nanoScale);
  if (binary) {
    if (compareQuantities(amount, quantityOf(int64Max)) > 0) amount = quantityOf(int64Max, 'BinarySI');
    if (amount.unscaled > 0n && compareQuantities(amount, quantityOf(1)) < 0)
      amount = { ...amount, format: 'DecimalSI' };
  }
  return negative ? negateQuantity(amount) : amount;
}

/** Undefined when the number is small or has a fraction: then it is printed as a decimal. */
function formatBinary(quantity: Quantity): string | undefined {
  const kibi = quantityOf(1024);
  if (compareQuantities(quantity, kibi) < 0 && compareQuantities(quantity, negateQuantity(kibi)) > 0)
    return undefined;
  let amount = atScale(quantity, 0);
  if (compareQuantities(quantityOf(amount), quantity) !== 0) return undefined;
  let exponent = 0;
  for (; amount % 1024n === 0n; amount /= 1024n) exponent += 10;
  return `${amount}${binarySuffixOf.get(exponent) ?? ''}`;
}

/**
 * The exponent becomes the largest multiple of three that leaves no fraction. An exponent without a suffix (10^21) is
 * not printed, as upstream.
 */
function formatDecimal(quantity: Quantity): string {
  let amount = quantity.unscaled;
  let exponent = quantity.scale;
  for (; amount % 10n === 0n; amount /= 10n) exponent++;
  for (; exponent % 3 !== 0; amount *= 10n) exponent--;
  if (quantity.format === 'DecimalExponent') return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  return `${amount}${decimalSuffixOf.get(exponent) ?? ''}`;
}

/** A sum of numbers whose magnitudes differ by more than this equals the larger one; no resource is that large. */
const scaleDistanceMax = 4096;

function combine(a: Quantity, b: Quantity, factor: 1n | -1n): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  if (b.unscaled === 0n) return { unscaled: a.unscaled, scale: a.scale, format };
  if (a.unscaled === 0n) return { unscaled: factor * b.unscaled, scale: b.scale, format };
  if (Math.abs(a.scale - b.scale) > scaleDistanceMax) {
    return a.scale > b.scale
      ? { unscaled: a.unscaled, scale: a.scale, format }
      : { unscaled: factor * b.unscaled, scale: b.scale, format };
  }
  const scale = Math.min(a.scale, b.scale);
  return { unscaled: atScale(a, scale) + factor * atScale(b, scale), scale, format };
}

/** The unscaled number at another scale, rounded away from zero where digits are lost. */
function atScale({ unscaled, scale }: Quantity, target: number): bigint {
  if (scale === target || unscaled === 0n) return unscaled;
  if (scale > target) return unscaled * powerOfTen(scale - target);
  const digitsLost = target - scale;
  if (digitsLost > digitCount(unscaled)) return unscaled > 0n ? 1n : -1n;
  const divisor = powerOfTen(digitsLost);
  const quotient = unscaled / divisor;
  if (quotient * divisor === unscaled) return quotient;
  return unscaled > 0n ? quotient + 1n : quotient - 1n;
}

const smallPowersOfTen = Array.from({ length: 32 }, (_, exponent) => 10n ** BigInt(exponent));
const powerOfTen = (exponent: number): bigint => smallPowersOfTen[exponent] ?? 10n ** BigInt(exponent);

const sign = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const digitCount = (value: bigint): number => (value < 0n ? -value : value).toString().length;
const magnitude = (quantity: Quantity): number => digitCount(quantity.unscaled) + quantity.scale;
