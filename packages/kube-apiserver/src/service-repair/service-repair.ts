/** Repairs the addresses, ports and ranges of services: at startup, after each change, and periodically. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { resources, type ObjectReader } from '../object-reader.ts';
import { StoreFollower } from '../follow-store.ts';
import type { ClusterIpRepair } from './cluster-ip-repair.ts';
import type { DefaultServiceCidr } from './default-service-cidr.ts';
import type { NodePortRepair } from './node-port-repair.ts';

export interface ServiceRepairOptions {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly storage: Storage;
  readonly objects: ObjectReader;
  readonly services: GenericStore;
  readonly addresses: GenericStore;
  readonly clusterIps: ClusterIpRepair;
  readonly nodePorts: NodePortRepair;
  readonly defaultCidr: DefaultServiceCidr;
}

const everythingEveryMs = 3 * 60 * 1000;
const defaultCidrEveryMs = 10_000;
/** Changes are checked together, after the write that made them is over. */
const changesAfterMs = 100;

export class ServiceRepair {
  readonly #options: ServiceRepairOptions;
  readonly #follower: StoreFollower;
  readonly #services = new Map<string, readonly [namespace: string, name: string]>();
  readonly #addresses = new Set<string>();
  #isStopped = false;
  #isDue = false;

  constructor(options: ServiceRepairOptions) {
    this.#options = options;
    this.#follower = new StoreFollower(options.storage);
  }

  /** Resolves after the first check of everything. */
  async start(): Promise<void> {
    const { services, addresses } = this.#options;
    await this.#checkPorts();
    const service = (namespace: string, name: string) => this.#addService(namespace, name);
    await this.#follower.follow(services, {
      put: ({ metadata }: KubeObject) => service(metadata.namespace ?? '', metadata.name ?? ''),
      remove: service,
    });
    await this.#follower.follow(addresses, {
      put: ({ metadata }) => this.#addAddress(metadata.name ?? ''),
      remove: (_namespace, name) => this.#addAddress(name),
    });
    await this.#work();
    this.#every(everythingEveryMs, () => this.#checkEverything());
    this.#every(defaultCidrEveryMs, () => this.#options.defaultCidr.check(this.#options.clock.now()));
  }

  stop(): void {
    this.#isStopped = true;
    this.#follower.stop();
  }

  #addService(namespace: string, name: string): void {
    this.#services.set(`${namespace}/${name}`, [namespace, name]);
    this.#schedule();
  }

  /** A deleted address may have belonged to a service. */
  #addAddress(name: string): void {
    this.#addresses.add(name);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#after(changesAfterMs, () => this.#work());
  }

  async #work(): Promise<void> {
    this.#isDue = false;
    const services = [...this.#services.values()];
    const addresses = [...this.#addresses];
    this.#services.clear();
    this.#addresses.clear();
    const { clusterIps } = this.#options;
    for (const [namespace, name] of services) {
      await this.#attempt(() => clusterIps.checkService(namespace, name));
    }
    for (const name of addresses) {
      await this.#attempt(async () => {
        const againAfterMs = await clusterIps.checkAddress(name);
        if (againAfterMs !== undefined) {
          this.#after(againAfterMs, () => Promise.resolve(this.#addAddress(name)));
        }
      });
    }
  }

  async #checkEverything(): Promise<void> {
    const { objects, addresses } = this.#options;
    for (const { metadata } of await objects.list<Service>(resources.services, '')) {
      this.#addService(metadata.namespace ?? '', metadata.name ?? '');
    }
    for (const { metadata } of await objects.list<KubeObject>(addresses.resource, '')) {
      this.#addAddress(metadata.name ?? '');
    }
    await this.#checkPorts();
  }

  async #checkPorts(): Promise<void> {
    const { objects, nodePorts } = this.#options;
    await nodePorts.check(await objects.list<Service>(resources.services, ''));
  }

  #every(periodMs: number, work: () => Promise<void>): void {
    this.#after(periodMs, async () => {
      await this.#attempt(work);
      this.#every(periodMs, work);
    });
  }

  #after(delayMs: number, work: () => Promise<void>): void {
    if (this.#isStopped) return;
    const run = () => (this.#isStopped ? undefined : detach(this.#attempt(work)));
    this.#options.clock.after(delayMs, run, { idle: true });
  }

  /** Failures are retried in the next round. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#isStopped) this.#options.log(`repair of services: ${String(error)}`);
    }
  }
}
