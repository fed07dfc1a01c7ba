/** A binary heap: the first value according to `before` is at the top. */
export class Heap<T> {
  readonly #before: (a: T, b: T) => boolean;
  readonly #values: T[] = [];

  constructor(before: (a: T, b: T) => boolean, values: readonly T[] = []) {
    this.#before = before;
    for (const value of values) this.push(value);
  }

  get size(): number {
    return this.#values.length;
  }

  /** In arbitrary order. */
  values(): readonly T[] {
    return this.#values;
  }

  peek(): T | undefined {
    return this.#values[0];
  }

  push(value: T): void {
    const values = this.#values;
    let at = values.push(value) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(value, values[parent]!)) break;
      values[at] = values[parent]!;
      at = parent;
    }
    values[at] = value;
  }

  pop(): T | undefined {
    const values = this.#values;
    const top = values[0];
    const last = values.pop();
    if (values.length > 0) this.#sink(last!);
    return top;
  }

  #sink(value: T): void {
    const values = this.#values;
    let at = 0;
    for (let child = 1; child < values.length; child = 2 * at + 1) {
      const right = child + 1;
      if (right < values.length && this.#before(values[right]!, values[child]!)) child = right;
      if (!this.#before(values[child]!, value)) break;
      values[at] = values[child]!;
      at = child;
    }
    values[at] = value;
  }
}
