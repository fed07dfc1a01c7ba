/**
 * Pod addresses of one node, from `first` to `first + size - 1`. They are assigned in order; after the last one, the
 * lowest free address is next.
 */
export class AddressPool {
  readonly #first: number;
  readonly #size: number;
  readonly #used = new Set<number>();
  #next = 0;

  /** @throws Error if it is not an IPv4 range */
  constructor(cidr: string) {
    const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(cidr);
    if (match === null) throw new Error(`not an IPv4 range: ${cidr}`);
    const [a, b, c, d, bits] = match.slice(1).map(Number) as [number, number, number, number, number];
    // The network address, the gateway and the broadcast address are left out.
    this.#first = ((a << 24) | (b << 16) | (c << 8) | d) + 2;
    this.#size = 2 ** (32 - bits) - 3;
  }

  /** Returns undefined if all addresses are taken. */
  take(): string | undefined {
    if (this.#used.size >= this.#size) return undefined;
    while (this.#used.has(this.#next)) this.#next = (this.#next + 1) % this.#size;
    const offset = this.#next;
    this.#used.add(offset);
    this.#next = (this.#next + 1) % this.#size;
    return formatIpv4(this.#first + offset);
  }

  /** Reserves an address that was assigned before this pool existed. Addresses outside the range are ignored. */
  reserve(address: string): void {
    const offset = this.#offsetOf(address);
    if (offset !== undefined) this.#used.add(offset);
  }

  /** Continues after this address, as if it had been assigned last. */
  continueAfter(address: string): void {
    const offset = this.#offsetOf(address);
    if (offset !== undefined) this.#next = (offset + 1) % this.#size;
  }

  release(address: string): void {
    const offset = this.#offsetOf(address);
    if (offset !== undefined) this.#used.delete(offset);
  }

  #offsetOf(address: string): number | undefined {
    const offset = parseIpv4(address) - this.#first;
    return offset >= 0 && offset < this.#size ? offset : undefined;
  }
}

export const formatIpv4 = (value: number): string =>
  [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.');

const parseIpv4 = (text: string): number => {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return (a << 24) | (b << 16) | (c << 8) | d;
};
