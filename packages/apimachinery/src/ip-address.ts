/** IP addresses and networks as numbers, parsed as leniently as upstream does. */

export interface IpAddress {
  readonly version: 4 | 6;
  readonly value: bigint;
}

export interface IpNetwork {
  /** As written, including host bits. */
  readonly address: IpAddress;
  readonly prefixLength: number;
}

/**
 * Undefined for an invalid address. Octets may have leading zeros (they are decimal); IPv4-mapped IPv6 has version 6.
 * No zones.
 */
export function parseIp(text: string): IpAddress | undefined {
  const value = text.includes(':') ? parseIpv6(text) : parseIpv4(text);
  return value === undefined ? undefined : { version: text.includes(':') ? 6 : 4, value };
}

/** Undefined unless it is `address/length`. Host bits and leading zeros are accepted. */
export function parseCidr(text: string): IpNetwork | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = parseIp(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (address === undefined || !/^[0-9]+$/.test(length)) return undefined;
  const prefixLength = Number(length);
  return prefixLength > bitsOf(address) ? undefined : { address, prefixLength };
}

/** Go's form: RFC 5952, with IPv4-mapped IPv6 as IPv4. */
export function formatIp(address: IpAddress): string {
  const { version, value } = isIpv4Mapped(address)
    ? { version: 4, value: address.value & 0xffff_ffffn }
    : address;
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  return formatIpv6(value);
}

const plainIpv4 = /^[1-9]\d{0,2}(?:\.(?:0|[1-9]\d{0,2})){3}$/;

/** The canonical form of an address; undefined for an invalid one. */
export function canonicalIp(text: string | undefined): string | undefined {
  if (text === undefined || plainIpv4.test(text)) return text;
  const address = parseIp(text);
  return address === undefined ? undefined : formatIp(address);
}

/** The network, without host bits: `10.0.0.0/8`. */
export function formatCidr({ address, prefixLength }: IpNetwork): string {
  const mapped = isIpv4Mapped(address) && prefixLength >= 96;
  const shown = mapped ? prefixLength - 96 : prefixLength;
  return `${formatIp(networkAddress({ address, prefixLength }))}/${shown}`;
}

export function networkAddress({ address, prefixLength }: IpNetwork): IpAddress {
  const hostBits = BigInt(bitsOf(address) - prefixLength);
  return { version: address.version, value: (address.value >> hostBits) << hostBits };
}

export const networkContains = (network: IpNetwork, address: IpAddress): boolean =>
  network.address.version === address.version &&
  networkAddress({ address, prefixLength: network.prefixLength }).value === networkAddress(network).value;

/** `::ffff:1.2.3.4` */
export const isIpv4Mapped = ({ version, value }: IpAddress): boolean =>
  version === 6 && value >> 32n === 0xffffn;

export const bitsOf = ({ version }: IpAddress): number => (version === 4 ? 32 : 128);

function parseIpv4(text: string): bigint | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^[0-9]+$/.test(octet) && Number(octet) <= 255))
    return undefined;
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = groupsOf(halves[0]!, halves.length === 1);
  const tail = halves.length === 2 ? groupsOf(halves[1]!, true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  return [...head, ...Array<bigint>(missing).fill(0n), ...tail].reduce(
    (value, group) => (value << 16n) | group,
    0n,
  );
}

/** The 16-bit groups; an IPv4 address at the end counts as two. */
function groupsOf(text: string, endsAddress: boolean): bigint[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: bigint[] = [];
  for (const [index, part] of parts.entries()) {
    if (endsAddress && part.includes('.') && index === parts.length - 1) {
      const value = parseIpv4(part);
      if (value === undefined) return undefined;
      groups.push(value >> 16n, value & 0xffffn);
    } else if (/^0*[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return groups;
}

function formatIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number((value >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  const { start, length } = longestZeroRun(groups);
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > best.length) best = { start, length: end - start };
  }
  return best;
}
