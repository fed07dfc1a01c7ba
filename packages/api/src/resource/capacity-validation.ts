/** Validates which amounts of a device's capacity can be requested. */

import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  scaledValue,
  type FieldPath,
  type Quantity,
} from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import { validateSet } from './list-validation.ts';
import type { CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity } from './v1/device.ts';

const valuesMax = 10;

export function validateCapacity(
  { value, requestPolicy: policy }: DeviceCapacity,
  isShared: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  if (policy == null) return;
  const at = path.child('requestPolicy');
  if (!isShared) errors.forbidden(at, 'allowMultipleAllocations must be true');
  else validatePolicy(policy, parseQuantity(value ?? '0'), at, errors);
}

function validatePolicy(
  { default: chosen, validValues = [], validRange }: CapacityRequestPolicy,
  capacity: Quantity,
  path: FieldPath,
  errors: Errors,
): void {
  if (validValues.length > 0 && validRange != null) {
    const detail =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    errors.forbidden(path, detail);
    return;
  }
  const name = validValues.length > 0 ? 'validValues' : 'validRange';
  if (validValues.length === 0 && validRange == null) return;
  if (chosen == null) {
    errors.required(path.child('default'), `required when ${name} is defined`);
  } else if (validRange == null) {
    validateValues(validValues.map(parseQuantity), parseQuantity(chosen), capacity, path.child(name), errors);
  } else validateRange(validRange, parseQuantity(chosen), capacity, path.child(name), errors);
}

const exceeds = (a: Quantity, b: Quantity): boolean => compareQuantities(a, b) > 0;

function validateValues(
  values: readonly Quantity[],
  chosen: Quantity,
  capacity: Quantity,
  path: FieldPath,
  errors: Errors,
): void {
  for (const [index, value] of values.entries()) {
    if (index === 0 || !exceeds(values[index - 1]!, value)) continue;
    const detail = 'values must be sorted in ascending order';
    errors.invalid(path.index(index), formatQuantity(value), detail);
  }
  let isChosenFound = false;
  validateSet(
    values,
    valuesMax,
    (value) => String(scaledValue(value, 0)),
    path,
    errors,
    (value, at) => {
      if (exceeds(value, capacity)) {
        const detail = `option is larger than capacity value: ${formatQuantity(capacity)}`;
        errors.invalid(at, formatQuantity(value), detail);
      }
      if (compareQuantities(value, chosen) === 0) isChosenFound = true;
    },
  );
  if (isChosenFound) return;
  const detail = 'default value is not valid according to the requestPolicy';
  errors.invalid(path, formatQuantity(chosen), detail);
}

function validateRange(
  range: CapacityRequestPolicyRange,
  chosen: Quantity,
  capacity: Quantity,
  path: FieldPath,
  errors: Errors,
): void {
  if (range.min == null) {
    errors.required(path.child('min'), 'required when validRange is defined');
    return;
  }
  const min = parseQuantity(range.min);
  const wrong = (name: string, value: Quantity, problem: string, bound: Quantity): void =>
    void errors.invalid(path.child(name), formatQuantity(value), `${problem}: ${formatQuantity(bound)}`);
  if (exceeds(min, capacity)) wrong('min', min, 'min is larger than capacity value', capacity);
  if (exceeds(min, chosen)) wrong('min', chosen, 'default is less than min', min);
  const max = range.max == null ? undefined : parseQuantity(range.max);
  if (max !== undefined) {
    if (exceeds(min, max)) wrong('max', min, 'min is larger than max', max);
    if (exceeds(max, capacity)) wrong('max', max, 'max is larger than capacity value', capacity);
    if (exceeds(chosen, max)) wrong('max', chosen, 'default is more than max', max);
  }
  if (range.step == null) return;
  const step = parseQuantity(range.step);
  const first = addQuantities(min, step);
  if (exceeds(first, capacity)) {
    wrong('step', step, `one step ${formatQuantity(first)} is larger than capacity value`, capacity);
  }
  for (const value of max === undefined ? [chosen] : [chosen, max]) {
    validateStep(value, min, step, path.child('step'), errors);
  }
}

function validateStep(value: Quantity, min: Quantity, step: Quantity, path: FieldPath, errors: Errors): void {
  const width = scaledValue(step, 0);
  if (width !== 0n && (scaledValue(value, 0) - scaledValue(min, 0)) % width === 0n) return;
  const detail = `value is not a multiple of a given step (${formatQuantity(step)}) from (${formatQuantity(min)})`;
  errors.invalid(path, formatQuantity(value), detail);
}
