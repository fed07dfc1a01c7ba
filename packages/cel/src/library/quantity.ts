/** Quantities: `quantity('1Gi').isGreaterThan(quantity('500M'))`. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  addQuantities,
  approximateFloat,
  compareQuantities,
  parseQuantity,
  quantityFormatError,
  quantityOf,
  subtractQuantities,
  type Quantity,
} from '@coxswain/apimachinery/quantity.ts';
import type { Library } from '../declarations/library.ts';
import { declareFunction, overload } from '../declarations/declaration.ts';
import { structType } from '../types/type.ts';
import { Double } from '../values/double.ts';
import { CelError } from '../values/error.ts';
import { intFromBigInt, type Int } from '../values/int.ts';
import { addAmounts, amountOf, negated, wholeOf, type Amount } from './quantity-amount.ts';
import { OpaqueValue, type Value } from '../values/value.ts';

/** Decimals are parsed to the billionth. */
const decimalScaleMin = -9;

const quantityType = structType('kubernetes.Quantity');

export class QuantityValue extends OpaqueValue {
  readonly type = quantityType;
  readonly quantity: Quantity;
  /** Undefined for a decimal, which is never an integer. */
  readonly amount: Amount | undefined;
  /** The power of ten of the last retained digit, even if it is zero. */
  readonly scale: number;

  constructor(quantity: Quantity, amount: Amount | undefined, decimalScale = decimalScaleMin) {
    super();
    this.quantity = quantity;
    this.amount = amount;
    this.scale = amount?.scale ?? decimalScale;
  }

  equals(other: Value): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }

  override isComparableTo(other: Value): boolean {
    return other instanceof QuantityValue && !(other instanceof CalculatedQuantity);
  }
}

/**
 * The result of an addition or subtraction: upstream can't compare it with other quantities, but can compare others
 * with it.
 */
class CalculatedQuantity extends QuantityValue {}

export function quantityValue(text: string): Value {
  // Elsewhere whitespace around a quantity is accepted, here it is not.
  if (/\s/.test(text)) return new CelError(quantityFormatError);
  try {
    return new QuantityValue(parseQuantity(text), amountOf(text));
  } catch (error) {
    return new CelError(messageOf(error));
  }
}

/** From all retained digits, since rounding affects the last ones. */
function floatOf({ quantity: { unscaled, scale: own }, scale }: QuantityValue): number {
  if (own < scale) return approximateFloat({ unscaled, scale: own, format: 'DecimalSI' });
  const base = Number(unscaled * 10n ** BigInt(own - scale));
  return scale === 0 ? base : base * Number(`1e${scale}`);
}

/** Undefined if it has a fraction or needs more than 64 bits. */
function integerOf({ amount }: QuantityValue): Int | undefined {
  const whole = amount === undefined ? undefined : wholeOf(amount);
  return whole === undefined ? undefined : intFromBigInt(whole);
}

const sum = (one: QuantityValue, other: QuantityValue): QuantityValue =>
  calculated(one, other, addQuantities(one.quantity, other.quantity), other.amount);

const difference = (one: QuantityValue, other: QuantityValue): QuantityValue =>
  calculated(
    one,
    other,
    subtractQuantities(one.quantity, other.quantity),
    other.amount && negated(other.amount),
  );

/** In the fast form the minimum integer is its own negative, so that form's number counts. */
function calculated(
  one: QuantityValue,
  other: QuantityValue,
  exact: Quantity,
  added: Amount | undefined,
): QuantityValue {
  const amount = one.amount && added && addAmounts(one.amount, added);
  const quantity =
    amount === undefined ? exact : { unscaled: amount.value, scale: amount.scale, format: exact.format };
  return new CalculatedQuantity(quantity, amount, Math.min(one.scale, other.scale));
}

const compare = (one: QuantityValue, other: QuantityValue): number =>
  Math.sign(compareQuantities(one.quantity, other.quantity));

const fromInt = (value: Int): QuantityValue =>
  new QuantityValue(quantityOf(value, 'DecimalExponent'), { value: BigInt(value), scale: 0 });

const on = (rest: string): string => `kubernetes.Quantity.${rest}`;

export const quantityLibrary: Library = {
  functions: [
    declareFunction('quantity', [
      overload('string_to_quantity', '(string) -> kubernetes.Quantity', quantityValue),
    ]),
    declareFunction('isQuantity', [
      overload(
        'is_quantity_string',
        '(string) -> bool',
        (text: string) => !(quantityValue(text) instanceof CelError),
      ),
    ]),
    declareFunction('sign', [
      overload('quantity_sign', '(kubernetes.Quantity) -> int', ({ quantity }: QuantityValue) =>
        quantity.unscaled === 0n ? 0 : quantity.unscaled > 0n ? 1 : -1,
      ),
    ]),
    declareFunction('isGreaterThan', [
      overload(
        'quantity_is_greater_than',
        on('(kubernetes.Quantity) -> bool'),
        (one: QuantityValue, other: QuantityValue) => compare(one, other) > 0,
      ),
    ]),
    declareFunction('isLessThan', [
      overload(
        'quantity_is_less_than',
        on('(kubernetes.Quantity) -> bool'),
        (one: QuantityValue, other: QuantityValue) => compare(one, other) < 0,
      ),
    ]),
    declareFunction('compareTo', [
      overload('quantity_compare_to', on('(kubernetes.Quantity) -> int'), compare),
    ]),
    declareFunction('asApproximateFloat', [
      overload(
        'quantity_get_float',
        on('() -> double'),
        (value: QuantityValue) => new Double(floatOf(value)),
      ),
    ]),
    declareFunction('asInteger', [
      overload(
        'quantity_get_int',
        on('() -> int'),
        (value: QuantityValue) => integerOf(value) ?? new CelError('cannot convert value to integer'),
      ),
    ]),
    declareFunction('isInteger', [
      overload(
        'quantity_is_integer',
        on('() -> bool'),
        (value: QuantityValue) => integerOf(value) !== undefined,
      ),
    ]),
    declareFunction('add', [
      overload('quantity_add', on('(kubernetes.Quantity) -> kubernetes.Quantity'), sum),
      overload('quantity_add_int', on('(int) -> kubernetes.Quantity'), (one: QuantityValue, other: Int) =>
        sum(one, fromInt(other)),
      ),
    ]),
    declareFunction('sub', [
      overload('quantity_sub', on('(kubernetes.Quantity) -> kubernetes.Quantity'), difference),
      overload('quantity_sub_int', on('(int) -> kubernetes.Quantity'), (one: QuantityValue, other: Int) =>
        difference(one, fromInt(other)),
      ),
    ]),
  ],
};
