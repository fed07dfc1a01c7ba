import { Double } from './double.ts';
import { intFromBigInt } from './int.ts';
import { Uint } from './uint.ts';
import { type Value, MapValue } from './value.ts';

/** The canonical form of a key for lookups, or undefined if it can't be a key. */
export function canonicalKey(key: Value): string | number | bigint | boolean | undefined {
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean') return key;
  if (typeof key === 'bigint') return key;
  if (key instanceof Uint) return intFromBigInt(key.value) ?? key.value;
  if (key instanceof Double && Number.isInteger(key.value)) {
    return Number.isSafeInteger(key.value) ? key.value + 0 : BigInt(key.value);
  }
  // Other doubles are separate keys.
  return key instanceof Double ? `\u0000${key.value}` : undefined;
}

type Entry = readonly [Value, Value];

export class EntryMap extends MapValue {
  readonly #entries: Map<string | number | bigint | boolean, Entry>;

  constructor(entries: Map<string | number | bigint | boolean, Entry>) {
    super();
    this.#entries = entries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const canonical = canonicalKey(key);
    return canonical === undefined ? undefined : this.#entries.get(canonical)?.[1];
  }

  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }
}

/** Later entries take precedence. */
export function mapOf(entries: Iterable<Entry>): EntryMap {
  const table = new Map<string | number | bigint | boolean, Entry>();
  for (const entry of entries) {
    const key = canonicalKey(entry[0]);
    if (key !== undefined) table.set(key, entry);
  }
  return new EntryMap(table);
}

/** The map that a comprehension builds. */
export class GrowingMap extends MapValue {
  readonly #entries = new Map<string | number | bigint | boolean, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const canonical = canonicalKey(key);
    return canonical === undefined ? undefined : this.#entries.get(canonical)?.[1];
  }

  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }

  /** @returns whether the key is new */
  insert(key: Value, value: Value): boolean {
    const canonical = canonicalKey(key);
    if (canonical === undefined || this.#entries.has(canonical)) return false;
    this.#entries.set(canonical, [key, value]);
    return true;
  }

  finished(): EntryMap {
    return new EntryMap(this.#entries);
  }
}
