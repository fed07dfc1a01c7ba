/** Allocates node ports to services. */
import type { Random } from '@coxswain/apimachinery';

export interface PortRange {
  readonly base: number;
  readonly size: number;
}

/** As upstream prints it: `30000-32767`. */
export const portRangeText = ({ base, size }: PortRange): string => `${base}-${base + size - 1}`;

/** `30000-32767`, `30000+2768`; undefined for anything else. */
export function parsePortRange(text: string): PortRange | undefined {
  const [, first, sign, second] = /^(\d+)([-+])(\d+)$/.exec(text.trim()) ?? [];
  if (first === undefined) return undefined;
  const base = Number(first);
  const last = sign === '-' ? Number(second) : base + Number(second) - 1;
  return last >= base && last <= 65_535 ? { base, size: last - base + 1 } : undefined;
}

const takenMessage = 'provided port is already allocated';

/** Dry runs number ports from here. */
const dryRunPortsStart = 32_768;

export class NodePortAllocator {
  readonly range: PortRange;
  readonly #random: Random;
  readonly #taken = new Set<number>();

  constructor(range: PortRange, random: Random) {
    this.range = range;
    this.#random = random;
  }

  /** Marks a port of an existing service; ports outside the range were valid in the past and are left alone. */
  adopt(port: number): void {
    if (this.holds(port)) this.#taken.add(port);
  }

  release(port: number): void {
    this.#taken.delete(port);
  }

  get taken(): readonly number[] {
    return [...this.#taken];
  }

  /** Replaces the allocated ports by those in the shared store. */
  replace(taken: Iterable<number>): void {
    this.#taken.clear();
    for (const port of taken) this.#taken.add(port);
  }

  /** Whether a port of the range is allocated. */
  has(port: number): boolean {
    return this.#taken.has(port);
  }

  /** Begins the allocations of one write: made at once, released if the write fails or is a dry run. */
  begin(dryRun: boolean): PortOperation {
    return new PortOperation(this, dryRun);
  }

  /** @returns the problem, or nothing when the port has been taken */
  take(port: number): string | undefined {
    if (!this.holds(port)) {
      return `provided port is not in the valid range. The range of valid ports is ${portRangeText(this.range)}`;
    }
    if (this.#taken.has(port)) return takenMessage;
    this.#taken.add(port);
    return undefined;
  }

  holds(port: number): boolean {
    const { base, size } = this.range;
    return port >= base && port < base + size;
  }

  /** Takes any free port; undefined when there is none. */
  takeAny(): number | undefined {
    const { base, size } = this.range;
    // The lowest ports are kept for explicit requests.
    const reserved = reservedPorts(size);
    const start = Math.floor(this.#random.next() * (size - reserved));
    for (let i = 0; i < size; i++) {
      const upper = size - reserved;
      const offset = i < upper ? reserved + ((start + i) % upper) : i - upper;
      if (!this.#taken.has(base + offset)) {
        this.#taken.add(base + offset);
        return base + offset;
      }
    }
    return undefined;
  }
}

/** Upstream's rule: a 32nd of the range, between 16 and 128; none for a range of up to 16 ports. */
const reservedPorts = (size: number): number =>
  size <= 16 ? 0 : Math.min(128, Math.max(16, Math.floor(size / 32)));

export class PortOperation {
  readonly #allocator: NodePortAllocator;
  readonly #dryRun: boolean;
  readonly #takenHere = new Set<number>();
  readonly #toRelease: number[] = [];

  constructor(allocator: NodePortAllocator, dryRun: boolean) {
    this.#allocator = allocator;
    this.#dryRun = dryRun;
  }

  take(port: number): string | undefined {
    const problem = this.#dryRun ? this.#takeDry(port) : this.#allocator.take(port);
    if (problem === undefined) this.#takenHere.add(port);
    return problem;
  }

  takeAny(): number | undefined {
    const port = this.#dryRun ? this.#anyDry() : this.#allocator.takeAny();
    if (port !== undefined) this.#takenHere.add(port);
    return port;
  }

  /** A dry run doesn't check the range. */
  #takeDry(port: number): string | undefined {
    return this.#allocator.has(port) || this.#takenHere.has(port) ? takenMessage : undefined;
  }

  /** The placeholder port of a dry run. Only below 100 does upstream look for a free one. */
  #anyDry(): number {
    const next = (this.#takenHere.size === 0 ? dryRunPortsStart : Math.max(0, ...this.#takenHere)) + 1;
    for (let port = next; port < 100; port++) if (this.#takeDry(port) === undefined) return port;
    // Ports are 32-bit numbers, and upstream lets them overflow.
    return next | 0;
  }

  /** Releases the port when the write succeeds. */
  releaseLater(port: number): void {
    this.#toRelease.push(port);
  }

  /** The ports that this write takes; none in a dry run. */
  get taken(): readonly number[] {
    return this.#dryRun ? [] : [...this.#takenHere];
  }

  /** Returns the released ports. */
  finish(succeeded: boolean): readonly number[] {
    if (this.#dryRun) return [];
    const given = succeeded ? this.#toRelease : [...this.#takenHere];
    for (const port of given) this.#allocator.release(port);
    return given;
  }
}
