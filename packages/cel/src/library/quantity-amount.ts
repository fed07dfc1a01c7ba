/**
 * The fast form in which upstream keeps most quantities: 64 bits times a power of ten. Only a quantity in this form
 * ever counts as an integer there, whatever its value; others are decimals of arbitrary length.
 */

/** `value · 10^scale` */
export interface Amount {
  readonly value: bigint;
  readonly scale: number;
}

/** More digits than this require a decimal. */
const digitsMax = 18;
const binaryDigitsMax = 14;
const scaleMin = -9;

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const form = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?(.*)$/;

/** For a valid quantity; undefined if it is a decimal. */
export function amountOf(text: string): Amount | undefined {
  const [, sign, digits = '', fraction = '', suffix = ''] = form.exec(text) ?? [];
  const number = digits === '' ? '0' : digits;
  const signed = (value: bigint): bigint => (sign === '-' ? -value : value);
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) {
    const exponent = binary * 10;
    const left = binaryDigitsMax - number.length - Math.trunc((exponent * 3) / 10);
    if (fraction !== '' || left < 0) return undefined;
    return within({ value: signed(BigInt(number) << BigInt(exponent)), scale: 0 });
  }
  const decimal = decimalSuffixes.indexOf(suffix);
  const exponent = decimal < 0 ? Number(suffix.slice(1)) : (decimal - 3) * 3;
  const scale = exponent - fraction.length;
  if (number.length + fraction.length > digitsMax || scale < scaleMin) return undefined;
  return within({ value: signed(BigInt(number + fraction)), scale });
}

/** Undefined if the sum doesn't fit. */
export function addAmounts(one: Amount, other: Amount): Amount | undefined {
  if (other.value === 0n) return one;
  if (one.value === 0n) return other;
  const scale = Math.min(one.scale, other.scale);
  const [left, right] = [scaledTo(one, scale), scaledTo(other, scale)];
  if (left === undefined || right === undefined) return undefined;
  return within({ value: left + right, scale });
}

export const negated = ({ value, scale }: Amount): Amount => ({ value: BigInt.asIntN(64, -value), scale });

/** Undefined if it has decimals, even zero ones, or doesn't fit. */
export const wholeOf = (amount: Amount): bigint | undefined =>
  amount.scale < 0 ? undefined : scaledTo(amount, 0);

/** @param scale at most the amount's own */
function scaledTo(amount: Amount, scale: number): bigint | undefined {
  const steps = amount.scale - scale;
  // Every other number is far beyond 64 bits at this point.
  if (steps > digitsMax && amount.value !== 0n) return undefined;
  return within({ value: amount.value * 10n ** BigInt(Math.min(steps, digitsMax)), scale })?.value;
}

const within = (amount: Amount): Amount | undefined =>
  BigInt.asIntN(64, amount.value) === amount.value ? amount : undefined;
