/** Addresses and node ports of services: taken before a write, given back when it fails. */
import type { FinishWrite } from '@coxswain/apiserver';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { alignClusterIps, keepAllocatedValues } from './allocated-values.ts';
import { completeStored } from './completed-service.ts';
import type { ClusterIpAllocator } from './cluster-ip-allocator.ts';
import { fillIpFamilies } from './ip-families.ts';
import type { NodePortAllocator, PortOperation } from './node-port-allocator.ts';
import { addressesOf, ServiceAddresses } from './service-addresses.ts';
import type { AddressChange } from './service-addresses.ts';
import { needsClusterIp, needsHealthCheckPort, nodePortsOf } from './service-needs.ts';
import { changeNodePorts, takeNodePorts } from './service-node-ports.ts';

export class ServiceAllocators {
  readonly #addresses: ServiceAddresses;
  readonly #ports: NodePortAllocator;

  /** @param addresses the default family first */
  constructor(addresses: readonly ClusterIpAllocator[], ports: NodePortAllocator) {
    this.#addresses = new ServiceAddresses(addresses);
    this.#ports = ports;
  }

  /** Marks the ports of a service that is stored already; its addresses are in the book. */
  adopt(service: Service): void {
    for (const port of nodePortsOf(service)) this.#ports.adopt(port);
    if (service.spec.healthCheckNodePort) this.#ports.adopt(service.spec.healthCheckNodePort);
  }

  async beginCreate(service: Service, dryRun: boolean): Promise<FinishWrite> {
    alignClusterIps(service);
    fillIpFamilies(service, undefined, this.#addresses.families);
    const change = await this.#addresses.take(service, dryRun);
    return this.#withPorts(change, dryRun, (ports) => takeNodePorts(service, ports));
  }

  async beginUpdate(service: Service, stored: Service, dryRun: boolean): Promise<FinishWrite> {
    const old = this.completed(stored);
    keepAllocatedValues(service, old);
    alignClusterIps(service, old);
    fillIpFamilies(service, old, this.#addresses.families);
    const change = await this.#addresses.change(service, old, dryRun);
    return this.#withPorts(change, dryRun, (ports) => changeNodePorts(service, old, ports));
  }

  /** A service as it is shown: with what older versions did not store. */
  completed(service: Service): Service {
    return completeStored(service, this.#addresses.families[0]!);
  }

  /** Gives back what a deleted service had. */
  async afterDelete(service: Service): Promise<void> {
    if (needsClusterIp(service)) await this.#addresses.release(addressesOf(service));
    for (const port of nodePortsOf(service)) this.#ports.release(port);
    if (needsHealthCheckPort(service) && service.spec.healthCheckNodePort) {
      this.#ports.release(service.spec.healthCheckNodePort);
    }
  }

  async #withPorts(
    { taken, given }: AddressChange,
    dryRun: boolean,
    allocate: (ports: PortOperation) => void,
  ): Promise<FinishWrite> {
    const ports = this.#ports.begin(dryRun);
    try {
      allocate(ports);
    } catch (error) {
      ports.finish(false);
      await this.#addresses.release(taken);
      throw error;
    }
    return (succeeded) => {
      ports.finish(succeeded);
      return this.#addresses.release(succeeded ? given : taken);
    };
  }
}
