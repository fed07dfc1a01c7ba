/** Determines which ServiceCIDRs an address or a network belongs to, and whether one may be deleted. */
import {
  bitsOf,
  networkAddress,
  networkContains,
  parseCidr,
  parseIp,
  type IpAddress,
  type IpNetwork,
} from '@coxswain/apimachinery';
import type { IPAddress, ServiceCidr } from '../objects.ts';

const managedByLabel = 'ipaddress.kubernetes.io/managed-by';

/** Whether the API server allocated the address for a Service. */
export const isOfService = ({ metadata }: IPAddress): boolean =>
  metadata.labels?.[managedByLabel] === 'ipallocator.k8s.io';

export function rangesWithAddress(all: readonly ServiceCidr[], name: string): ServiceCidr[] {
  const address = parseIp(name);
  if (address === undefined) return [];
  return all.filter((range) => networksOf(range).some((network) => holds(network, address)));
}

export const rangesOverlapping = (all: readonly ServiceCidr[], range: ServiceCidr): ServiceCidr[] =>
  all.filter((other) => networksOf(other).some((one) => networksOf(range).some((two) => overlap(one, two))));

/** A range may be deleted if others contain all its networks, or no address depends on it alone. */
export function mayGo(
  range: ServiceCidr,
  all: readonly ServiceCidr[],
  addresses: readonly IPAddress[],
): boolean {
  const others = all.filter(({ metadata }) => metadata.name !== range.metadata.name);
  if (networksOf(range).every((network) => others.some((other) => covers(other, network)))) return true;
  return !addresses.some((address) => {
    if (!isOfService(address)) return false;
    const holders = rangesWithAddress(all, address.metadata.name ?? '');
    return holders.length === 1 && holders[0]!.metadata.name === range.metadata.name;
  });
}

const covers = (range: ServiceCidr, network: IpNetwork): boolean =>
  networksOf(range).some((own) => overlap(own, network) && own.prefixLength <= network.prefixLength);

const networksOf = ({ spec }: ServiceCidr): IpNetwork[] =>
  (spec?.cidrs ?? []).flatMap((cidr) => parseCidr(cidr) ?? []);

const overlap = (one: IpNetwork, two: IpNetwork): boolean =>
  networkContains(one, two.address) || networkContains(two, one.address);

/** Neither the network address nor the IPv4 broadcast address is allocated. */
function holds(network: IpNetwork, address: IpAddress): boolean {
  if (!networkContains(network, address)) return false;
  const first = networkAddress(network).value;
  if (address.value === first) return false;
  const hosts = 1n << BigInt(bitsOf(network.address) - network.prefixLength);
  return address.version === 6 || address.value !== first + hosts - 1n;
}
