import { Heap } from '@coxswain/apimachinery/heap.ts';

/** A heap whose members are replaced and removed by key. */
export class KeyedHeap<T> {
  readonly #heap: Heap<T>;
  readonly #positions = new Map<string, number>();
  readonly #keyOf: (item: T) => string;

  /** `compare` is negative if `a` comes first; the order of members must not change. */
  constructor(keyOf: (item: T) => string, compare: (a: T, b: T) => number) {
    this.#keyOf = keyOf;
    this.#heap = new Heap(compare, (item, position) => this.#positions.set(keyOf(item), position));
  }

  get size(): number {
    return this.#heap.size;
  }

  peek(): T | undefined {
    return this.#heap.peek();
  }

  push(item: T): void {
    this.delete(this.#keyOf(item));
    this.#heap.push(item);
  }

  pop(): T | undefined {
    const first = this.#heap.peek();
    return first && this.delete(this.#keyOf(first));
  }

  get(key: string): T | undefined {
    const position = this.#positions.get(key);
    return position === undefined ? undefined : this.#heap.at(position);
  }

  delete(key: string): T | undefined {
    const position = this.#positions.get(key);
    if (position === undefined) return undefined;
    this.#positions.delete(key);
    return this.#heap.remove(position);
  }
}
