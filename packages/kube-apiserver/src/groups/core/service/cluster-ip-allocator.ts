/** Hands out the addresses of services. The IPAddress objects are the book: creating one takes its address. */
import { formatIp, isStatusError, networkAddress, parseCidr, parseIp } from '@coxswain/apimachinery';
import type { IpAddress, IpNetwork, Random } from '@coxswain/apimachinery';
import type { IpAddressBook, ServiceReference } from './ip-address-book.ts';

export type IpFamily = 'IPv4' | 'IPv6';

export const familyOf = (ip: string): IpFamily => (ip.includes(':') ? 'IPv6' : 'IPv4');

/** Addresses tried before a range counts as full. */
const triesMax = 65_536;

export class RangeFullError extends Error {
  constructor() {
    super('range is full');
    this.name = 'RangeFullError';
  }
}

export class ClusterIpAllocator {
  readonly family: IpFamily;
  readonly #network: IpNetwork;
  readonly #book: IpAddressBook;
  readonly #random: Random;
  readonly #first: bigint;
  readonly #size: bigint;
  readonly #cidr: string;

  /** @param cidr `10.0.0.0/24`, checked before */
  constructor(cidr: string, book: IpAddressBook, random: Random) {
    const network = parseCidr(cidr)!;
    this.#network = network;
    this.#book = book;
    this.#random = random;
    this.#cidr = cidr;
    this.family = network.address.version === 4 ? 'IPv4' : 'IPv6';
    const bits = BigInt((network.address.version === 4 ? 32 : 128) - network.prefixLength);
    // The network's own address is nobody's; neither is the broadcast address of IPv4.
    this.#first = networkAddress(network).value + 1n;
    const all = 1n << bits;
    const usable = all - (network.address.version === 4 ? 2n : 1n);
    this.#size = usable > 0n ? usable : 0n;
  }

  /** Takes `ip`. @throws Error with the original's text, when it can't be had */
  async take(ip: string, service: ServiceReference, dryRun: boolean): Promise<void> {
    const address = parseIp(ip)!;
    const offset = address.value - this.#first;
    if (offset < 0n || offset >= this.#size || address.version !== this.#network.address.version) {
      throw new Error(
        `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${this.#cidr}`,
      );
    }
    if (dryRun) return;
    if (!(await this.#claim(formatIp(address), service))) throw new Error('provided IP is already allocated');
  }

  /** @throws RangeFullError */
  async takeAny(service: ServiceReference, dryRun: boolean): Promise<string> {
    if (this.#size === 0n) throw new RangeFullError();
    // Nothing is written, so nothing is chosen: the original answers with the network's own address.
    if (dryRun) return formatIp(this.#network.address);
    const reserved = reservedAddresses(this.#size);
    const upper = this.#size - reserved;
    const start = BigInt(Math.floor(this.#random.next() * Number(upper)));
    const tries = this.#size > BigInt(triesMax) ? triesMax : Number(this.#size);
    for (let i = 0n; i < BigInt(tries); i++) {
      const offset = i < upper ? reserved + ((start + i) % upper) : i - upper;
      const ip = this.#at(offset);
      if (this.#book.isTaken(ip)) continue;
      if (await this.#claim(ip, service)) return ip;
    }
    throw new RangeFullError();
  }

  release(ip: string): Promise<void> {
    return this.#book.remove(formatIp(parseIp(ip)!));
  }

  /** The address that the `kubernetes` service gets. */
  get firstAddress(): string {
    return this.#at(0n);
  }

  #at(offset: bigint): string {
    const address: IpAddress = { version: this.#network.address.version, value: this.#first + offset };
    return formatIp(address);
  }

  async #claim(ip: string, service: ServiceReference): Promise<boolean> {
    try {
      await this.#book.add(ip, this.family, service);
      return true;
    } catch (error) {
      if (isStatusError(error, 'AlreadyExists')) return false;
      throw error;
    }
  }
}

/** As for ports: the lower end is left for those who ask for an address. */
function reservedAddresses(size: bigint): bigint {
  const share = size / 16n;
  if (size <= 16n) return 0n;
  return share < 16n ? 16n : share > 256n ? 256n : share;
}
