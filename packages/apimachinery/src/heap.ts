/** A binary heap that tells its members their positions, so that any of them can be removed. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #compare: (a: T, b: T) => number;
  readonly #placed: (item: T, position: number) => void;

  /**
   * @param compare negative if `a` comes first; the order of members must not change
   * @param placed called whenever a member gets a position, for `remove`
   */
  constructor(compare: (a: T, b: T) => number, placed: (item: T, position: number) => void) {
    this.#compare = compare;
    this.#placed = placed;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  at(position: number): T | undefined {
    return this.#items[position];
  }

  push(item: T): void {
    this.#rise(item, this.#items.length);
  }

  pop(): T | undefined {
    return this.#items.length === 0 ? undefined : this.remove(0);
  }

  /** @param position that of a member */
  remove(position: number): T {
    const item = this.#items[position]!;
    const last = this.#items.pop()!;
    if (last !== item) this.#sink(last, this.#rise(last, position));
    return item;
  }

  #put(item: T, position: number): void {
    this.#items[position] = item;
    this.#placed(item, position);
  }

  /** Returns the position that the item gets. */
  #rise(item: T, from: number): number {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (this.#compare(item, this.#items[parent]!) >= 0) break;
      this.#put(this.#items[parent]!, position);
      position = parent;
    }
    this.#put(item, position);
    return position;
  }

  #sink(item: T, from: number): void {
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
    if (position !== from) this.#put(item, position);
  }
}
