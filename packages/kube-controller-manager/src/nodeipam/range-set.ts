/** The subranges of equal size in a larger range, and which of them are taken. */
import {
  bitsOf,
  formatCidr,
  networkAddress,
  networkContains,
  parseCidr,
  type IpNetwork,
} from '@coxswain/apimachinery';

/** The maximum difference of the prefix lengths, which limits the memory used. */
const differenceMax = 16;

export class RangeSet {
  readonly #cluster: IpNetwork;
  readonly #maskSize: number;
  readonly #count: number;
  readonly #taken = new Set<number>();
  /** Ranges are assigned in turn, so that a released one isn't reused at once. */
  #next = 0;

  /** @throws Error for incompatible sizes */
  constructor(cluster: IpNetwork, maskSize: number) {
    const difference = maskSize - cluster.prefixLength;
    if (difference < 0 || maskSize > bitsOf(cluster.address)) {
      throw new Error(`a range of ${maskSize} bits does not fit into ${formatCidr(cluster)}`);
    }
    if (cluster.address.version === 6 && difference > differenceMax) {
      throw new Error('New CIDR set failed; the node CIDR size is too big');
    }
    this.#cluster = { ...cluster, address: networkAddress(cluster) };
    this.#maskSize = maskSize;
    this.#count = 2 ** difference;
  }

  /** @throws Error if all are taken */
  take(): string {
    if (this.#taken.size >= this.#count) {
      throw new Error(
        'CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range',
      );
    }
    while (this.#taken.has(this.#next)) this.#next = (this.#next + 1) % this.#count;
    const at = this.#next;
    this.#taken.add(at);
    this.#next = (at + 1) % this.#count;
    return this.#rangeAt(at);
  }

  /** @throws Error for a range that can't be parsed, or lies outside */
  occupy(range: string): void {
    const [first, last] = this.#indexesOf(range);
    for (let at = first; at <= last; at++) this.#taken.add(at);
  }

  /** @throws as {@link occupy} */
  release(range: string): void {
    const [first, last] = this.#indexesOf(range);
    for (let at = first; at <= last; at++) this.#taken.delete(at);
  }

  /** Excludes the part of a foreign range that overlaps. */
  exclude(range: string): void {
    const other = parseCidr(range);
    if (other === undefined || other.address.version !== this.#cluster.address.version) return;
    if (
      networkContains(other, this.#cluster.address) ||
      networkContains(this.#cluster, networkAddress(other))
    ) {
      this.occupy(range);
    }
  }

  #rangeAt(index: number): string {
    const { address } = this.#cluster;
    const shift = BigInt(bitsOf(address) - this.#maskSize);
    const value = address.value + (BigInt(index) << shift);
    return formatCidr({ address: { ...address, value }, prefixLength: this.#maskSize });
  }

  #indexesOf(range: string): readonly [first: number, last: number] {
    const network = parseCidr(range);
    if (network === undefined) throw new Error(`invalid CIDR address: ${range}`);
    const cluster = this.#cluster;
    const isLarger = network.prefixLength < cluster.prefixLength && networkContains(network, cluster.address);
    if (isLarger) return [0, this.#count - 1];
    if (!networkContains(cluster, networkAddress(network))) {
      throw new Error(`cidr ${range} is out the range of cluster cidr ${formatCidr(cluster)}`);
    }
    const shift = BigInt(bitsOf(cluster.address) - this.#maskSize);
    const first = Number((networkAddress(network).value - cluster.address.value) >> shift);
    const more = Math.max(0, this.#maskSize - network.prefixLength);
    return [first, first + 2 ** more - 1];
  }
}
