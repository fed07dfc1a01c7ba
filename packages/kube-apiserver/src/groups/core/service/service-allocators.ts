/** Allocates addresses and node ports of services before a write, and releases them when it fails. */
import type { IpAllocator } from './ip-allocator.ts';
import type { ServiceRanges } from './service-ranges.ts';
import { internalError } from '@coxswain/apimachinery';
import type { FinishWrite } from '@coxswain/apiserver';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { alignClusterIps, keepAllocatedValues } from './allocated-values.ts';
import { completeStored } from './completed-service.ts';
import type { ClusterIpAllocator } from './cluster-ip-allocator.ts';
import { fillIpFamilies } from './ip-families.ts';
import type { NodePortAllocator, PortOperation } from './node-port-allocator.ts';
import type { PortAllocator } from './port-allocator.ts';
import { addressesOf, ServiceAddresses, type AddressChange } from './service-addresses.ts';
import { mayHaveNodePorts, needsClusterIp, needsHealthCheckPort, nodePortsOf } from './service-needs.ts';
import { changeNodePorts, takeNodePorts } from './service-node-ports.ts';

export class ServiceAllocators {
  readonly #addresses: ServiceAddresses;
  readonly #features: FeatureGates;
  readonly #ports: NodePortAllocator;
  readonly #portAllocator: PortAllocator | undefined;
  #turn: Promise<void> = Promise.resolve();

  /**
   * @param addresses the default family first
   * @param portAllocator set if other servers share the store
   */
  constructor(
    addresses: readonly ClusterIpAllocator[],
    ports: NodePortAllocator,
    features: FeatureGates,
    portAllocator?: PortAllocator,
  ) {
    this.#features = features;
    this.#addresses = new ServiceAddresses(addresses);
    this.#ports = ports;
    this.#portAllocator = portAllocator;
  }

  /** Marks the ports of an existing service; its addresses are IPAddress objects. */
  adopt(service: Service): void {
    for (const port of nodePortsOf(service)) this.#ports.adopt(port);
    if (service.spec.healthCheckNodePort) this.#ports.adopt(service.spec.healthCheckNodePort);
  }

  async beginCreate(service: Service, dryRun: boolean): Promise<FinishWrite> {
    alignClusterIps(service);
    fillIpFamilies(service, undefined, this.#addresses.families, this.#features);
    const change = await this.#addresses.take(service, dryRun);
    return this.#withPorts(service, change, dryRun, (ports) => takeNodePorts(service, ports));
  }

  async beginUpdate(service: Service, stored: Service, dryRun: boolean): Promise<FinishWrite> {
    const old = this.completed(stored);
    keepAllocatedValues(service, old);
    alignClusterIps(service, old);
    fillIpFamilies(service, old, this.#addresses.families, this.#features);
    const change = await this.#addresses.change(service, old, dryRun);
    return this.#withPorts(service, change, dryRun, (ports) => changeNodePorts(service, old, ports));
  }

  /** A service for reading, completed with fields that older versions did not store. */
  completed(service: Service): Service {
    return completeStored(service, this.#addresses.families[0]!);
  }

  /** Releases the addresses and ports of a deleted service. */
  async afterDelete(service: Service): Promise<void> {
    if (needsClusterIp(service)) await this.#addresses.release(addressesOf(service));
    const ports = nodePortsOf(service);
    if (needsHealthCheckPort(service) && service.spec.healthCheckNodePort) {
      ports.push(service.spec.healthCheckNodePort);
    }
    for (const port of ports) this.#ports.release(port);
    await this.#portAllocator?.release(ports);
  }

  async #withPorts(
    service: Service,
    { taken, given }: AddressChange,
    dryRun: boolean,
    allocate: (ports: PortOperation) => void,
  ): Promise<FinishWrite> {
    try {
      const portAllocator = mayHaveNodePorts(service) ? this.#portAllocator : undefined;
      const ports =
        portAllocator === undefined
          ? this.#allocatePorts(dryRun, allocate)
          : await this.#inTurn(() => this.#claimPorts(portAllocator, service, dryRun, allocate));
      return async (succeeded) => {
        const freed = ports.finish(succeeded);
        await this.#portAllocator?.release(freed);
        await this.#addresses.release(succeeded ? given : taken);
      };
    } catch (error) {
      await this.#addresses.release(taken);
      throw error;
    }
  }

  #allocatePorts(dryRun: boolean, allocate: (ports: PortOperation) => void): PortOperation {
    const ports = this.#ports.begin(dryRun);
    try {
      allocate(ports);
      return ports;
    } catch (error) {
      ports.finish(false);
      throw error;
    }
  }

  /** If another server takes a port in the meantime, a different one is chosen. */
  async #claimPorts(
    portAllocator: PortAllocator,
    { spec }: Service,
    dryRun: boolean,
    allocate: (ports: PortOperation) => void,
  ): Promise<PortOperation> {
    const asked = structuredClone({ ports: spec.ports, healthCheckNodePort: spec.healthCheckNodePort });
    for (let attempt = 1; attempt <= claimsMax; attempt++) {
      this.#ports.replace(await portAllocator.read());
      const ports = this.#allocatePorts(dryRun, allocate);
      const lost = await portAllocator.claim(ports.taken);
      if (lost.length === 0) return ports;
      ports.finish(false);
      Object.assign(spec, structuredClone(asked));
    }
    throw internalError('failed to allocate a nodePort: others are faster');
  }

  /** Serializes the writes of this server. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      return await work();
    } finally {
      resolve();
    }
  }
}

/** The maximum number of attempts when other servers take the chosen ports first. */
const claimsMax = 16;

export interface ServiceAllocation {
  readonly allocators: ServiceAllocators;
  readonly addresses: IpAllocator;
  readonly ranges: ServiceRanges;
  readonly nodePorts: NodePortAllocator;
  /** Set if other servers share the store. */
  readonly portAllocator: PortAllocator | undefined;
  /** The address of the `kubernetes` service. */
  readonly firstAddress: string;
  /** Deletes a service's endpoints with it. */
  deleteEndpoints(namespace: string, name: string): Promise<void>;
}
