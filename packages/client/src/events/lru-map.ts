/** A map that drops the least recently used entry. */
export class LruMap<K, V> {
  readonly #sizeMax: number;
  readonly #entries = new Map<K, V>();

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#sizeMax) this.#entries.delete(this.#entries.keys().next().value as K);
  }
}
