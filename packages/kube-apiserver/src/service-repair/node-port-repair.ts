/** Reconciles the allocated node ports with those of services. */
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { portRangeText, type NodePortAllocator } from '../groups/core/service/node-port-allocator.ts';
import type { PortAllocator } from '../groups/core/service/port-allocator.ts';
import { asKubeObject, type RepairEvents } from './repair-events.ts';

/** A port without a service may belong to a write in progress: it is released after this many rounds. */
const roundsBeforeLeak = 3;

export class NodePortRepair {
  readonly #ports: NodePortAllocator;
  readonly #events: Pick<RepairEvents, 'warn'>;
  readonly #portAllocator: PortAllocator | undefined;
  /** Ports without a service, and the rounds before they are released. */
  readonly #leaks = new Map<number, number>();

  constructor(ports: NodePortAllocator, events: Pick<RepairEvents, 'warn'>, portAllocator?: PortAllocator) {
    this.#ports = ports;
    this.#events = events;
    this.#portAllocator = portAllocator;
  }

  async check(services: readonly Service[]): Promise<void> {
    if (this.#portAllocator !== undefined) this.#ports.replace(await this.#portAllocator.read());
    const used = new Set<number>();
    for (const service of services) {
      for (const port of portsOf(service)) await this.#checkPort(service, port, used);
    }
    const freed = this.#freeLeaks(used);
    await this.#portAllocator?.release(freed);
  }

  async #checkPort(service: Service, port: number, used: Set<number>): Promise<void> {
    const warn = (reason: string, note: string) =>
      this.#events.warn(asKubeObject(service, 'v1', 'Service'), { reason, action: 'PortAllocation', note });
    const ports = this.#ports;
    if (!ports.holds(port)) {
      const range = portRangeText(ports.range);
      await warn(
        'PortOutOfRange',
        `Port ${port} is not within the port range ${range}; please recreate service`,
      );
    } else if (used.has(port)) {
      const note = `Port ${port} was assigned to multiple services; please recreate service`;
      await warn('PortAlreadyAllocated', note);
    } else {
      used.add(port);
      if (ports.has(port)) return;
      ports.adopt(port);
      await this.#portAllocator?.mark([port]);
      await warn('PortNotAllocated', `Port ${port} is not allocated; repairing`);
    }
  }

  #freeLeaks(used: ReadonlySet<number>): number[] {
    const freed: number[] = [];
    for (const port of this.#leaks.keys()) {
      if (used.has(port) || !this.#ports.has(port)) this.#leaks.delete(port);
    }
    for (const port of this.#ports.taken) {
      if (used.has(port)) continue;
      const left = this.#leaks.get(port) ?? roundsBeforeLeak;
      if (left > 0) this.#leaks.set(port, left - 1);
      else {
        this.#ports.release(port);
        this.#leaks.delete(port);
        freed.push(port);
      }
    }
    return freed;
  }
}

/** A port of two protocols counts once; one that occurs twice for a protocol counts twice. */
function portsOf({ spec }: Service): number[] {
  const protocols = new Map<number, Set<string>>();
  const found: number[] = [];
  const take = (port: number, protocol: string): void => {
    const seen = protocols.get(port);
    if (seen === undefined) protocols.set(port, new Set([protocol]));
    else if (!seen.has(protocol)) {
      seen.add(protocol);
      return;
    }
    found.push(port);
  };
  for (const { nodePort, protocol = 'TCP' } of spec.ports ?? []) if (nodePort) take(nodePort, protocol);
  if (spec.healthCheckNodePort) take(spec.healthCheckNodePort, 'TCP');
  return found;
}
