import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '@coxswain/apimachinery';
import type { Device } from '@coxswain/api/resource/v1/device.ts';
import type { DevicePool } from './device-pools.ts';

/**
 * Whether the counters that devices of a pool share still suffice, given the devices in use. Partitionable devices are
 * modelled this way: allocating one partition consumes counters that others would need.
 */
export function countersSuffice(pool: DevicePool, isUsed: (id: string) => boolean, next: Device): boolean {
  const used = pool.allDevices.filter(({ id, device }) => device !== next && isUsed(id));
  const consumed = new Map<string, Quantity>();
  for (const device of [...used.map((one) => one.device), next]) {
    for (const { counterSet, counters } of device.consumesCounters ?? []) {
      for (const [name, { value }] of Object.entries(counters ?? {})) {
        const key = `${counterSet}/${name}`;
        consumed.set(key, addQuantities(consumed.get(key) ?? parseQuantity('0'), parseQuantity(value)));
      }
    }
  }
  return pool.counterSets.every(({ name, counters }) =>
    Object.entries(counters ?? {}).every(([counter, { value }]) => {
      const amount = consumed.get(`${name}/${counter}`);
      return amount === undefined || compareQuantities(amount, parseQuantity(value)) <= 0;
    }),
  );
}
