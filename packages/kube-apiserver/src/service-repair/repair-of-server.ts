import type { Clock } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client/transport.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { resources, type ObjectReader } from '../object-reader.ts';
import type { StoreRegistry } from '../groups/store-registry.ts';
import type { ServiceAllocation } from '../groups/core/service/service-allocators.ts';
import { ClusterIpRepair, ipAddresses } from './cluster-ip-repair.ts';
import { DefaultServiceCidr } from './default-service-cidr.ts';
import { NodePortRepair } from './node-port-repair.ts';
import { RepairEvents } from './repair-events.ts';
import { ServiceRepair } from './service-repair.ts';

export interface ServiceRepairParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly storage: Storage;
  readonly objects: ObjectReader;
  readonly stores: StoreRegistry;
  readonly serviceRanges: readonly string[];
  readonly transport: Transport;
  readonly newUid: () => string;
  readonly allocation: ServiceAllocation;
  /** This machine; part of the events' `reportingInstance`. */
  readonly instance: string;
}

/** The three repair controllers of a server, under upstream's names. */
export function serviceRepairOf(parts: ServiceRepairParts): ServiceRepair {
  const { clock, log, storage, objects, stores, transport, newUid, allocation, instance } = parts;
  const events = (controller: string) => new RepairEvents({ transport, clock, newUid, controller, instance });
  const { addresses, ranges, nodePorts, portAllocator } = allocation;
  return new ServiceRepair({
    clock,
    log,
    storage,
    objects,
    services: stores.of('', resources.services.resource).main,
    addresses: stores.of(ipAddresses.group, ipAddresses.resource).main,
    clusterIps: new ClusterIpRepair({
      clock,
      objects,
      addresses,
      ranges,
      events: events('ipallocator-repair-controller'),
    }),
    nodePorts: new NodePortRepair(nodePorts, events('portallocator-repair-controller'), portAllocator),
    defaultCidr: new DefaultServiceCidr(
      { objects, transport, log },
      parts.serviceRanges,
      events('kubernetes-service-cidr-controller'),
    ),
  });
}
