/** A binary heap whose members can be removed by key. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #positions = new Map<string, number>();
  readonly #keyOf: (item: T) => string;
  readonly #compare: (a: T, b: T) => number;

  /** `compare` is negative if `a` comes first; the order of members must not change. */
  constructor(keyOf: (item: T) => string, compare: (a: T, b: T) => number) {
    this.#keyOf = keyOf;
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    this.delete(this.#keyOf(item));
    this.#put(item, this.#items.length);
    this.#rise(this.#items.length - 1);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.delete(this.#keyOf(first));
    return first;
  }

  get(key: string): T | undefined {
    const position = this.#positions.get(key);
    return position === undefined ? undefined : this.#items[position];
  }

  delete(key: string): T | undefined {
    const position = this.#positions.get(key);
    if (position === undefined) return undefined;
    const item = this.#items[position]!;
    this.#positions.delete(key);
    const last = this.#items.pop()!;
    if (last !== item) {
      this.#put(last, position);
      this.#rise(position);
      this.#sink(this.#positions.get(this.#keyOf(last))!);
    }
    return item;
  }

  #put(item: T, position: number): void {
    this.#items[position] = item;
    this.#positions.set(this.#keyOf(item), position);
  }

  #rise(from: number): void {
    const item = this.#items[from]!;
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (this.#compare(item, this.#items[parent]!) >= 0) break;
      this.#put(this.#items[parent]!, position);
      position = parent;
    }
    this.#put(item, position);
  }

  #sink(from: number): void {
    const item = this.#items[from]!;
    let position = from;
    for (;;) {
      let child = 2 * position + 1;
      if (child >= this.#items.length) break;
      if (child + 1 < this.#items.length && this.#compare(this.#items[child + 1]!, this.#items[child]!) < 0)
        child++;
      if (this.#compare(this.#items[child]!, item) >= 0) break;
      this.#put(this.#items[child]!, position);
      position = child;
    }
    this.#put(item, position);
  }
}
