import { type Value, ListValue } from './value.ts';

export class ArrayList extends ListValue {
  readonly #items: readonly Value[];

  constructor(items: readonly Value[]) {
    super();
    this.#items = items;
  }

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Value {
    return this.#items[index]!;
  }

  override items(): readonly Value[] {
    return this.#items;
  }
}

export const emptyList = new ArrayList([]);

/** The concatenation of two lists, computed only when it is read. */
export class ConcatenatedList extends ListValue {
  readonly size: number;
  #left: ListValue | undefined;
  #right: ListValue | undefined;
  #joined: readonly Value[] | undefined;

  constructor(left: ListValue, right: ListValue) {
    super();
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
  }

  at(index: number): Value {
    return this.items()[index]!;
  }

  override items(): readonly Value[] {
    if (!this.#joined) {
      this.#joined = ConcatenatedList.#join(this);
      this.#left = undefined;
      this.#right = undefined;
    }
    return this.#joined;
  }

  /** Iterative, since a chain of additions may be long. */
  static #join(whole: ListValue): readonly Value[] {
    const parts: (readonly Value[])[] = [];
    let list = whole;
    while (list instanceof ConcatenatedList && !list.#joined) {
      parts.push(list.#right!.items());
      list = list.#left!;
    }
    parts.push(list.items());
    return parts.toReversed().flat();
  }
}

/** The list that a comprehension builds: `+` appends in place, since nobody else has it. */
export class GrowingList extends ListValue {
  readonly #items: Value[] = [];

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Value {
    return this.#items[index]!;
  }

  override items(): readonly Value[] {
    return this.#items;
  }

  append(list: ListValue): void {
    for (const item of list.items()) this.#items.push(item);
  }
}
