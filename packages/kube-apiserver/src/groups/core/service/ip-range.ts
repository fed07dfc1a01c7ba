/** The addresses of a network that services may have. */
import { bitsOf, formatIp, networkAddress, parseCidr, type IpAddress } from '@coxswain/apimachinery';
import { familyOf, type IpFamily } from './ip-family.ts';

export interface IpRange {
  readonly cidr: string;
  readonly family: IpFamily;
  readonly first: bigint;
  readonly size: bigint;
  /** The number of addresses at the lower end kept for explicit requests; they are allocated last. */
  readonly reserved: bigint;
}

/** The maximum host bits of an IPv6 range, as upstream. */
const hostBitsMax = 64;

/** Undefined for an invalid network, and for one that is too large. */
export function ipRangeOf(cidr: string): IpRange | undefined {
  const network = parseCidr(cidr);
  if (network === undefined) return undefined;
  const family = familyOf(cidr);
  const hostBits = bitsOf(network.address) - network.prefixLength;
  if (hostBits > hostBitsMax) return undefined;
  const all = 1n << BigInt(hostBits);
  // Neither the network's own address nor the broadcast address of IPv4 is usable.
  const usable = all - (family === 'IPv4' ? 2n : 1n);
  return {
    cidr,
    family,
    first: networkAddress(network).value + 1n,
    size: usable > 0n ? usable : 0n,
    reserved: reservedAddresses(all),
  };
}

export const rangeHolds = ({ family, first, size }: IpRange, address: IpAddress): boolean =>
  address.version === (family === 'IPv4' ? 4 : 6) && address.value >= first && address.value < first + size;

/** The address at an offset from the range's first one. */
export const addressAt = ({ family, first }: IpRange, offset: bigint): string =>
  formatIp({ version: family === 'IPv4' ? 4 : 6, value: first + offset });

/** A 16th of the network, between 16 and 256; none for a network of up to 16 addresses. */
function reservedAddresses(all: bigint): bigint {
  if (all <= 16n) return 0n;
  const share = all / 16n;
  return share < 16n ? 16n : share > 256n ? 256n : share;
}
