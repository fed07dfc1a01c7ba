import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityOf,
  quantityValue,
  type Quantity,
} from '@coxswain/apimachinery';
import type { CapacityRequestPolicy, Device, DeviceCapacity } from '@coxswain/api/resource/v1/device.ts';

export type Amounts = Readonly<Record<string, string>>;

/**
 * Returns what a request consumes of each capacity of a device: the requested amount rounded by the device's policy, or
 * the default. Undefined if the device lacks the capacity, or does not allow that amount.
 */
export function consumedCapacity(device: Device, requested: Amounts): Amounts | undefined {
  const capacities = (device.capacity ?? {}) as Readonly<Record<string, DeviceCapacity>>;
  if (Object.keys(requested).some((name) => capacities[name] === undefined)) return undefined;
  const consumed: Record<string, string> = {};
  for (const [name, capacity] of Object.entries(capacities)) {
    const amount = portionOf(capacity, requested[name]);
    if (breaksPolicy(amount, capacity.requestPolicy)) return undefined;
    consumed[name] = amount;
  }
  return consumed;
}

/** Whether the device has room for `more` in addition to what is consumed. */
export function hasRoom(device: Device, taken: readonly Amounts[], more: Amounts): boolean {
  const capacities = (device.capacity ?? {}) as Readonly<Record<string, DeviceCapacity>>;
  return Object.entries(capacities).every(([name, { value }]) => {
    const sum = [...taken, more].reduce<Quantity>(
      (total, amounts) => addQuantities(total, parseQuantity(amounts[name] ?? '0')),
      parseQuantity('0'),
    );
    return compareQuantities(sum, parseQuantity(value)) <= 0;
  });
}

function portionOf({ value, requestPolicy }: DeviceCapacity, requested: string | undefined): string {
  if (requested === undefined) return requestPolicy?.default ?? value;
  const amount = parseQuantity(requested);
  const { validRange, validValues } = requestPolicy ?? {};
  if (validRange) {
    const least = parseQuantity(validRange.min ?? '0');
    if (compareQuantities(amount, least) < 0) return validRange.min ?? '0';
    if (validRange.step == null) return requested;
    const from = quantityValue(least);
    const step = quantityValue(parseQuantity(validRange.step));
    const steps = Math.ceil((quantityValue(amount) - from) / step);
    return formatQuantity(quantityOf(from + step * steps, 'BinarySI'));
  }
  return validValues?.find((one) => compareQuantities(amount, parseQuantity(one)) <= 0) ?? requested;
}

function breaksPolicy(amount: string, policy: CapacityRequestPolicy | null | undefined): boolean {
  if (!policy || policy.default === amount) return false;
  const quantity = parseQuantity(amount);
  const { validRange, validValues } = policy;
  if (validRange) {
    if (validRange.max != null && compareQuantities(quantity, parseQuantity(validRange.max)) > 0) return true;
    if (validRange.step == null) return false;
    const over = quantityValue(quantity) - quantityValue(parseQuantity(validRange.min ?? '0'));
    return over % quantityValue(parseQuantity(validRange.step)) !== 0;
  }
  if ((validValues?.length ?? 0) === 0) return false;
  return !validValues!.some((one) => compareQuantities(quantity, parseQuantity(one)) === 0);
}
