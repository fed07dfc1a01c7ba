/** The node's capacity, and what of it pods may use. */
import {
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityOf,
  quantityValue,
  milliQuantityOf,
} from '@coxswain/apimachinery';
import type { KubeletSettings } from '../config/kubelet-configuration.ts';
import type { Machine } from './machine.ts';

type Amounts = Readonly<Record<string, string>>;

export interface NodeCapacity {
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
}

type Reservations = Pick<KubeletSettings, 'maxPods' | 'podsPerCore' | 'systemReserved' | 'kubeReserved'>;

/** @param hardThresholds by signal, `100Mi` or `10%`: amounts that eviction keeps free are not allocatable */
export function nodeCapacity(
  machine: Machine,
  storageBytes: number,
  settings: Reservations,
  hardThresholds: Amounts,
): NodeCapacity {
  const pods =
    settings.podsPerCore > 0
      ? Math.min(settings.maxPods, settings.podsPerCore * machine.cpus)
      : settings.maxPods;
  const amounts: Record<string, number> = {
    cpu: machine.cpus * 1000,
    'ephemeral-storage': storageBytes,
    memory: machine.memoryBytes,
    pods,
  };
  for (const [size, bytes] of Object.entries(machine.hugepages)) amounts[`hugepages-${size}`] = bytes;
  const hugepageBytes = Object.values(machine.hugepages).reduce((sum, bytes) => sum + bytes, 0);
  const kept: Readonly<Record<string, string | undefined>> = {
    memory: hardThresholds['memory.available'],
    'ephemeral-storage': hardThresholds['nodefs.available'],
  };
  const left = Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => {
      const reserved =
        amountOf(name, settings.systemReserved[name]) + amountOf(name, settings.kubeReserved[name]);
      const pages = name === 'memory' ? hugepageBytes : 0;
      return [name, Math.max(0, amount - reserved - pages - thresholdBytes(kept[name], amount))];
    }),
  );
  return { capacity: texts(amounts), allocatable: texts(left) };
}

const amountOf = (name: string, text: string | undefined): number =>
  text === undefined
    ? 0
    : name === 'cpu'
      ? quantityMilliValue(parseQuantity(text))
      : quantityValue(parseQuantity(text));

const thresholdBytes = (threshold: string | undefined, ofBytes: number): number => {
  if (threshold === undefined) return 0;
  if (threshold.endsWith('%')) return Math.floor((ofBytes * Number(threshold.slice(0, -1))) / 100);
  return quantityValue(parseQuantity(threshold));
};

/** Formats bytes in Ki, the kernel's unit, if they are a multiple. */
function texts(amounts: Readonly<Record<string, number>>): Amounts {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => {
      if (name === 'cpu') return [name, formatQuantity(milliQuantityOf(amount))];
      if (name === 'pods') return [name, String(amount)];
      return [name, formatQuantity(quantityOf(amount, 'BinarySI'))];
    }),
  );
}
