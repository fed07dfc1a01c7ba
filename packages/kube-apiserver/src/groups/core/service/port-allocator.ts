/**
 * The allocated node ports where several API servers share a store: upstream's bitmap, so that its servers and ours can
 * run side by side. A server with a store of its own needs none.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import { objectCodec, storedValue, type StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import { RangeAllocation } from '@coxswain/api/core/v1/range-allocation.ts';
import type { Entry, Storage } from '@coxswain/storage/storage.ts';
import { as } from '../../any-object.ts';
import { parsePortRange, portRangeText, type PortRange } from './node-port-allocator.ts';

const key = '/registry/ranges/servicenodeports';

const codec = objectCodec(RangeAllocation);

export class PortAllocator {
  readonly #storage: Pick<Storage, 'get' | 'update'>;
  readonly #range: PortRange;
  readonly #form: StoredForm;

  constructor(storage: Pick<Storage, 'get' | 'update'>, range: PortRange, form: StoredForm = 'json') {
    this.#form = form;
    this.#storage = storage;
    this.#range = range;
  }

  async read(): Promise<ReadonlySet<number>> {
    return this.#portsOf(await this.#storage.get(key));
  }

  /** Takes all the ports or none: in that case it returns those that are taken. */
  async claim(ports: readonly number[]): Promise<readonly number[]> {
    let taken: readonly number[] = [];
    await this.#change(ports, (held) => {
      taken = ports.filter((port) => held.has(port));
      if (taken.length === 0) for (const port of ports) held.add(port);
    });
    return taken;
  }

  /** Takes the ports, even if they are already taken. */
  async mark(ports: readonly number[]): Promise<void> {
    await this.#change(ports, (held) => {
      for (const port of ports) held.add(port);
    });
  }

  async release(ports: readonly number[]): Promise<void> {
    await this.#change(ports, (held) => {
      for (const port of ports) held.delete(port);
    });
  }

  async #change(ports: readonly number[], change: (held: Set<number>) => void): Promise<void> {
    if (ports.length === 0) return;
    await this.#storage.update(key, (current) => {
      const before = this.#portsOf(current);
      const held = new Set(before);
      change(held);
      const isSame = held.size === before.size && [...held].every((port) => before.has(port));
      return isSame ? { kind: 'keep' } : { kind: 'put', value: this.#valueOf(held, current) };
    });
  }

  /** A bitmap written for another range, before a configuration change, counts as far as it fits. */
  #portsOf(entry: Entry | undefined): ReadonlySet<number> {
    if (entry === undefined) return new Set();
    const { range, data } = as<RangeAllocation>(codec.decode(entry));
    const base = parsePortRange(range)?.base ?? this.#range.base;
    const { base: first, size } = this.#range;
    return new Set(
      bitsOf(data ?? '').flatMap((bit) => {
        const port = base + bit;
        return port >= first && port < first + size ? [port] : [];
      }),
    );
  }

  #valueOf(held: ReadonlySet<number>, current: Entry | undefined): Uint8Array {
    const object = current === undefined ? fresh : codec.decode(current);
    const data = dataOf([...held].map((port) => port - this.#range.base));
    const { resourceVersion: _, ...metadata } = object.metadata;
    const next = { ...object, metadata, range: portRangeText(this.#range), data };
    return storedValue(RangeAllocation, as<KubeObject>(next), this.#form);
  }
}

const fresh: KubeObject = { kind: 'RangeAllocation', apiVersion: 'v1', metadata: {} };

/** The positions of set bits in a big-endian number, from the lowest. */
function bitsOf(base64: string): number[] {
  const bytes = Array.from(atob(base64), (character) => character.charCodeAt(0)).reverse();
  return bytes.flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => ((byte >> bit) & 1 ? [at * 8 + bit] : [])),
  );
}

function dataOf(bits: readonly number[]): string {
  const bytes = Array<number>(Math.floor(Math.max(-1, ...bits) / 8) + 1).fill(0);
  for (const bit of bits) bytes[bytes.length - 1 - Math.floor(bit / 8)]! |= 1 << (bit % 8);
  return btoa(String.fromCharCode(...bytes));
}
