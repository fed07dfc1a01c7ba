/** Quantities: `quantity('1Gi').isGreaterThan(quantity('500M'))`. */

import {
  addQuantities,
  approximateFloat,
  compareQuantities,
  hasFraction,
  parseQuantity,
  quantityFormatError,
  quantityOf,
  scaledValue,
  subtractQuantities,
} from '@coxswain/apimachinery/quantity.ts';
import type { Quantity } from '@coxswain/apimachinery/quantity.ts';
import type { Library } from '../environment.ts';
import { declareFunction, overload } from '../types/declaration.ts';
import { structType } from '../types/type.ts';
import { Double } from '../values/double.ts';
import { CelError } from '../values/error.ts';
import { intFromBigInt } from '../values/int.ts';
import type { Int } from '../values/int.ts';
import { OpaqueValue } from '../values/opaque.ts';
import type { Value } from '../values/value.ts';

const quantityType = structType('kubernetes.Quantity');

export class QuantityValue extends OpaqueValue {
  readonly type = quantityType;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: Value): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

export function quantityValue(text: string): Value {
  // Elsewhere blanks around a quantity are taken, here they are not.
  if (/\s/.test(text)) return new CelError(quantityFormatError);
  try {
    return new QuantityValue(parseQuantity(text));
  } catch (error) {
    return new CelError(error instanceof Error ? error.message : String(error));
  }
}

/** Undefined where it has a fraction or needs more than 64 bits. */
function integerOf({ quantity }: QuantityValue): Int | undefined {
  return hasFraction(quantity) ? undefined : intFromBigInt(scaledValue(quantity, 0));
}

const compare = (one: QuantityValue, other: QuantityValue): number =>
  Math.sign(compareQuantities(one.quantity, other.quantity));

const fromInt = (value: Int): Quantity => quantityOf(value, 'DecimalExponent');

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
        ({ quantity }: QuantityValue) => new Double(approximateFloat(quantity)),
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
      overload(
        'quantity_add',
        on('(kubernetes.Quantity) -> kubernetes.Quantity'),
        (one: QuantityValue, other: QuantityValue) =>
          new QuantityValue(addQuantities(one.quantity, other.quantity)),
      ),
      overload(
        'quantity_add_int',
        on('(int) -> kubernetes.Quantity'),
        (one: QuantityValue, other: Int) => new QuantityValue(addQuantities(one.quantity, fromInt(other))),
      ),
    ]),
    declareFunction('sub', [
      overload(
        'quantity_sub',
        on('(kubernetes.Quantity) -> kubernetes.Quantity'),
        (one: QuantityValue, other: QuantityValue) =>
          new QuantityValue(subtractQuantities(one.quantity, other.quantity)),
      ),
      overload(
        'quantity_sub_int',
        on('(int) -> kubernetes.Quantity'),
        (one: QuantityValue, other: Int) =>
          new QuantityValue(subtractQuantities(one.quantity, fromInt(other))),
      ),
    ]),
  ],
};
