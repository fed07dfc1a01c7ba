/** Ensures that every cluster IP has its IPAddress object, and every such object its service. */
import { formatIp, ignoring, parseIp, type Clock } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { IPAddress } from '@coxswain/api/networking/v1/ip-address.ts';
import { resources, type ObjectReader } from '../object-reader.ts';
import { familyLabel, isManagedByAllocator, type IpAllocator } from '../groups/core/service/ip-allocator.ts';
import { familyOf } from '../groups/core/service/ip-family.ts';
import { rangeHolds } from '../groups/core/service/ip-range.ts';
import { addressesOf } from '../groups/core/service/service-addresses.ts';
import { needsClusterIp } from '../groups/core/service/service-needs.ts';
import type { ServiceRanges } from '../groups/core/service/service-ranges.ts';
import { asKubeObject, type RepairEvents } from './repair-events.ts';

export interface ClusterIpRepairOptions {
  readonly clock: Clock;
  readonly objects: ObjectReader;
  readonly addresses: IpAllocator;
  readonly ranges: ServiceRanges;
  readonly events: Pick<RepairEvents, 'warn'>;
}

export const ipAddresses = { group: 'networking.k8s.io', resource: 'ipaddresses' };

/** An address is allocated before its service is stored: the maximum duration of a request. */
const orphanMsMax = 60_000;
/** A failed write releases its addresses within this time. */
const revertMsMax = 5000;

export class ClusterIpRepair {
  readonly #options: ClusterIpRepairOptions;

  constructor(options: ClusterIpRepairOptions) {
    this.#options = options;
  }

  async checkService(namespace: string, name: string): Promise<void> {
    const service = await this.#options.objects.get<Service>(resources.services, namespace, name);
    if (service === undefined || !needsClusterIp(service)) return;
    for (const ip of addressesOf(service)) await this.#checkClusterIp(service, ip);
  }

  async #checkClusterIp(service: Service, text: string): Promise<void> {
    const address = parseIp(text);
    if (address === undefined) return;
    const ip = formatIp(address);
    const family = familyOf(ip);
    const warn = (reason: string, note: string) =>
      this.#options.events.warn(asKubeObject(service, 'v1', 'Service'), {
        reason,
        action: 'ClusterIPAllocation',
        note,
      });
    if (!(await this.#options.ranges()).some((range) => rangeHolds(range, address))) {
      const note = `Cluster IP [${family}]: ${ip} is not within any configured Service CIDR; please recreate service`;
      return warn('ClusterIPOutOfRange', note);
    }
    const found = await this.#options.objects.get<IPAddress>(ipAddresses, '', ip);
    if (found === undefined) {
      await warn('ClusterIPNotAllocated', `Cluster IP [${family}]: ${ip} is not allocated; repairing`);
      return this.#allocate(ip, service);
    }
    const owner = await this.#ownerOf(found, service);
    if (owner === 'another') {
      const note = `Cluster IP [${family}]:${ip} was assigned to multiple services; please recreate service`;
      await warn('ClusterIPAlreadyAllocated', note);
    } else if (owner === 'nobody') {
      const { namespace, name } = service.metadata;
      const note = `the ClusterIP [${family}]: ${ip} for Service ${namespace}/${name} has a wrong reference; repairing`;
      await warn('ClusterIPNotAllocated', note);
    }
    const isLabelled = found.metadata.labels?.[familyLabel] === family && isManagedByAllocator(found);
    if (owner !== 'nobody' && isLabelled) return;
    await this.#options.addresses.remove(ip);
    await this.#allocate(ip, service);
  }

  /** The owner of the address, if the object's reference is correct. */
  async #ownerOf(found: IPAddress, { metadata }: Service): Promise<'this' | 'another' | 'nobody'> {
    const parent = found.spec?.parentRef;
    if (parent == null || parent.group || parent.resource !== 'services') return 'nobody';
    const { namespace = '', name = '' } = parent;
    if (namespace === metadata.namespace && name === metadata.name) return 'this';
    const other = await this.#options.objects.get<Service>(resources.services, namespace, name);
    if (other === undefined) return 'nobody';
    return addressesOf(other).includes(found.metadata.name!) ? 'another' : 'this';
  }

  async #allocate(ip: string, { metadata }: Service): Promise<void> {
    const service = { namespace: metadata.namespace!, name: metadata.name! };
    await ignoring('AlreadyExists', this.#options.addresses.add(ip, familyOf(ip), service));
  }

  /** Returns the milliseconds after which to check again, if it is too early to decide. */
  async checkAddress(name: string): Promise<number | undefined> {
    const address = await this.#options.objects.get<IPAddress>(ipAddresses, '', name);
    if (address === undefined || !isManagedByAllocator(address)) return undefined;
    const parent = address.spec?.parentRef;
    if (parent == null || parent.group || parent.resource !== 'services') {
      const shown = `&ParentReference{Group:${parent?.group ?? ''},Resource:${parent?.resource ?? ''},Namespace:${parent?.namespace ?? ''},Name:${parent?.name ?? ''},}`;
      const note = `IPAddress ${name} appears to have been modified, not referencing a Service ${shown}: cleaning up`;
      return this.#discard(address, 'IPAddressNotAllocated', note);
    }
    const { namespace = '', name: serviceName = '' } = parent;
    const service = await this.#options.objects.get<Service>(resources.services, namespace, serviceName);
    const ageMs = this.#options.clock.now() - createdAtMs(address);
    const of = `IPAddress: ${name} for Service ${namespace}/${serviceName}`;
    if (service === undefined) {
      if (ageMs <= orphanMsMax) return orphanMsMax - ageMs + 1;
      return this.#discard(address, 'IPAddressNotAllocated', `${of} appears to have leaked: cleaning up`);
    }
    if (addressesOf(service).includes(name)) return undefined;
    if (!needsClusterIp(service) && ageMs < orphanMsMax) return orphanMsMax - ageMs;
    if (createdAtMs(address) > createdAtMs(service) && ageMs < revertMsMax) return revertMsMax;
    return this.#discard(address, 'IPAddressWrongReference', `${of} has a wrong reference; cleaning up`);
  }

  async #discard(address: IPAddress, reason: string, note: string): Promise<undefined> {
    const { events, addresses } = this.#options;
    const object = asKubeObject(address, 'networking.k8s.io/v1', 'IPAddress');
    await events.warn(object, { reason, action: 'IPAddressAllocation', note });
    await addresses.remove(address.metadata.name!);
  }
}

const createdAtMs = ({ metadata }: Dated): number => Date.parse(metadata.creationTimestamp ?? '') || 0;

interface Dated {
  readonly metadata: { readonly creationTimestamp?: string | null };
}
