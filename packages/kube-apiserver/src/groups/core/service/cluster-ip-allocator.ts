/**
 * Allocates the addresses of one family from all its ranges. IPAddress objects represent the allocations: creating one
 * takes its address.
 */
import { formatIp, isStatusError, parseIp, type Random } from '@coxswain/apimachinery';
import type { IpAllocator, ServiceReference } from './ip-allocator.ts';
import type { IpFamily } from './ip-family.ts';
import { addressAt, rangeHolds, type IpRange } from './ip-range.ts';
import type { ServiceRange, ServiceRanges } from './service-ranges.ts';

/** The number of addresses to try in a range before it counts as full. */
const triesMax = 65_536;

export class RangeFullError extends Error {
  constructor() {
    super('range is full');
    this.name = 'RangeFullError';
  }
}

export class ClusterIpAllocator {
  readonly family: IpFamily;
  readonly #ranges: ServiceRanges;
  readonly #addresses: IpAllocator;
  readonly #random: Random;

  constructor(family: IpFamily, ranges: ServiceRanges, addresses: IpAllocator, random: Random) {
    this.family = family;
    this.#ranges = ranges;
    this.#addresses = addresses;
    this.#random = random;
  }

  /** Takes `ip`. @throws Error with upstream's message when it is not available */
  async take(ip: string, service: ServiceReference, dryRun: boolean): Promise<void> {
    const address = parseIp(ip)!;
    const ranges = await this.#ownRanges();
    if (dryRun) {
      const range = readyRange(ranges);
      if (rangeHolds(range, address)) return;
      throw new Error(
        `the provided IP (${formatIp(address)}) is not in the valid range. The range of valid IPs is ${range.cidr}`,
      );
    }
    if (!ranges.some((range) => range.isReady && rangeHolds(range, address))) {
      throw new Error('the provided network does not match the current range');
    }
    if (!(await this.#claim(formatIp(address), service))) throw new Error('provided IP is already allocated');
  }

  /** @throws RangeFullError */
  async takeAny(service: ServiceReference, dryRun: boolean): Promise<string> {
    const ranges = await this.#ownRanges();
    // A dry run allocates nothing: upstream responds with the network's own address.
    if (dryRun) return addressAt(readyRange(ranges), -1n);
    for (const range of ranges) {
      const taken = range.isReady ? await this.#takeFrom(range, service) : undefined;
      if (taken !== undefined) return taken;
    }
    throw new RangeFullError();
  }

  release(ip: string): Promise<void> {
    return this.#addresses.remove(formatIp(parseIp(ip)!));
  }

  async #ownRanges(): Promise<readonly ServiceRange[]> {
    return (await this.#ranges()).filter(({ family }) => family === this.family);
  }

  /** Tries addresses upwards from a random one; the reserved ones come last. */
  async #takeFrom(range: IpRange, service: ServiceReference): Promise<string | undefined> {
    const { size } = range;
    if (size === 0n) return undefined;
    const reserved = range.reserved < size ? range.reserved : 0n;
    const upper = size - reserved;
    const start = BigInt(Math.floor(this.#random.next() * Number(upper))) % upper;
    const tries = size > BigInt(triesMax) ? BigInt(triesMax) : size;
    for (let i = 0n; i < tries; i++) {
      const ip = addressAt(range, i < upper ? reserved + ((start + i) % upper) : i - upper);
      if (!this.#addresses.isTaken(ip) && (await this.#claim(ip, service))) return ip;
    }
    return undefined;
  }

  async #claim(ip: string, service: ServiceReference): Promise<boolean> {
    try {
      await this.#addresses.add(ip, this.family, service);
      return true;
    } catch (error) {
      if (isStatusError(error, 'AlreadyExists')) return false;
      throw error;
    }
  }
}

/** A dry run uses only one range, as upstream. @throws Error */
function readyRange(ranges: readonly ServiceRange[]): ServiceRange {
  const range = ranges.find(({ isReady }) => isReady);
  if (range === undefined) throw new Error('allocator not ready');
  return range;
}
