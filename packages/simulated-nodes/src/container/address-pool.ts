/** Addresses of one node's pods: `first` to `first + size - 1`, lowest free one first after a round. */
export class AddressPool {
  readonly #first: number;
  readonly #size: number;
  readonly #used = new Set<number>();
  #next = 0;

  /** @throws Error for what is no IPv4 range */
  constructor(cidr: string) {
    const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(cidr);
    if (match === null) throw new Error(`not an IPv4 range: ${cidr}`);
    const [a, b, c, d, bits] = match.slice(1).map(Number) as [number, number, number, number, number];
    // Without the network's own address, the gateway's and the broadcast address.
    this.#first = ((a << 24) | (b << 16) | (c << 8) | d) + 2;
    this.#size = 2 ** (32 - bits) - 3;
  }

  /** Undefined when all are taken. */
  take(): string | undefined {
    if (this.#used.size >= this.#size) return undefined;
    while (this.#used.has(this.#next)) this.#next = (this.#next + 1) % this.#size;
    const offset = this.#next;
    this.#used.add(offset);
    this.#next = (this.#next + 1) % this.#size;
    return formatIpv4(this.#first + offset);
  }

  /** Of somebody who had it before this pool was made; others' addresses don't count. */
  reserve(address: string): void {
    const offset = this.#offsetOf(address);
    if (offset !== undefined) this.#used.add(offset);
  }

  /** Goes on after this one, as if it was taken last. */
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
