/**
 * Go's `sort.Sort`, for output in which the order of equal items is visible: pattern-defeating quicksort
 * (arXiv:2106.05123), not stable beyond twelve items, with pseudorandom numbers seeded by the length.
 */

type Less<T> = (a: T, b: T) => boolean;

/** Sorts in place and returns the list. @param less whether `a` sorts before `b`; may be no order at all */
export function goSort<T>(items: T[], less: Less<T>): T[] {
  if (items.length > 1) new Sorting(items, less).sort(0, items.length, bitsOf(items.length));
  return items;
}

const insertionMax = 12;
const shortestNinther = 50;
const shortestShifting = 50;
const shiftsMax = 5;
const swapsMax = 12;

/** The number of bits of an integer. */
const bitsOf = (value: number): number => 32 - Math.clz32(value);

class Sorting<T> {
  readonly #items: T[];
  readonly #isLess: Less<T>;
  #swaps = 0;

  constructor(items: T[], isLess: Less<T>) {
    this.#items = items;
    this.#isLess = isLess;
  }

  /** @param limit how many unbalanced partitions are allowed before heapsort takes over */
  sort(a: number, b: number, limit: number): void {
    let [wasBalanced, wasPartitioned] = [true, true];
    for (;;) {
      const length = b - a;
      if (length <= insertionMax) return this.#insertionSort(a, b);
      if (limit === 0) return this.#heapSort(a, b);
      if (!wasBalanced) {
        this.#breakPatterns(a, b);
        limit--;
      }
      this.#swaps = 0;
      let pivot = this.#choosePivot(a, b);
      let isIncreasing = this.#swaps === 0;
      if (this.#swaps === swapsMax) {
        this.#reverse(a, b);
        pivot = b - 1 - (pivot - a);
        isIncreasing = true;
      }
      if (wasBalanced && wasPartitioned && isIncreasing && this.#partialInsertionSort(a, b)) return;
      if (a > 0 && !this.#less(a - 1, pivot)) {
        a = this.#partitionEqual(a, b, pivot);
        continue;
      }
      const { middle, wasAlready } = this.#partition(a, b, pivot);
      wasPartitioned = wasAlready;
      const [left, right] = [middle - a, b - middle];
      const threshold = Math.floor(length / 8);
      wasBalanced = Math.min(left, right) >= threshold;
      if (left < right) {
        this.sort(a, middle, limit);
        a = middle + 1;
      } else {
        this.sort(middle + 1, b, limit);
        b = middle;
      }
    }
  }

  #less(i: number, j: number): boolean {
    return this.#isLess(this.#items[i]!, this.#items[j]!);
  }

  #swap(i: number, j: number): void {
    const items = this.#items;
    [items[i], items[j]] = [items[j]!, items[i]!];
  }

  #insertionSort(a: number, b: number): void {
    for (let end = a + 1; end < b; end++)
      for (let at = end; at > a && this.#less(at, at - 1); at--) this.#swap(at, at - 1);
  }

  #heapSort(a: number, b: number): void {
    const length = b - a;
    for (let i = Math.floor((length - 1) / 2); i >= 0; i--) this.#siftDown(i, length, a);
    for (let i = length - 1; i >= 0; i--) {
      this.#swap(a, a + i);
      this.#siftDown(0, i, a);
    }
  }

  #siftDown(low: number, high: number, first: number): void {
    for (let root = low; ;) {
      let child = 2 * root + 1;
      if (child >= high) return;
      if (child + 1 < high && this.#less(first + child, first + child + 1)) child++;
      if (!this.#less(first + root, first + child)) return;
      this.#swap(first + root, first + child);
      root = child;
    }
  }

  #breakPatterns(a: number, b: number): void {
    const length = b - a;
    const next = xorshift(length);
    const mask = BigInt(2 ** bitsOf(length) - 1);
    const middle = a + Math.floor(length / 4) * 2;
    for (let at = middle - 1; at <= middle + 1; at++) {
      const other = Number(next() & mask);
      this.#swap(at, a + (other >= length ? other - length : other));
    }
  }

  #choosePivot(a: number, b: number): number {
    const quarter = Math.floor((b - a) / 4);
    const places = [a + quarter, a + quarter * 2, a + quarter * 3];
    const [i, j, k] =
      b - a >= shortestNinther ? places.map((at) => this.#median(at - 1, at, at + 1)) : places;
    return this.#median(i!, j!, k!);
  }

  #median(a: number, b: number, c: number): number {
    [a, b] = this.#ordered(a, b);
    [b, c] = this.#ordered(b, c);
    return this.#ordered(a, b)[1];
  }

  #ordered(a: number, b: number): [number, number] {
    if (!this.#less(b, a)) return [a, b];
    this.#swaps++;
    return [b, a];
  }

  #reverse(a: number, b: number): void {
    for (let [i, j] = [a, b - 1]; i < j; i++, j--) this.#swap(i, j);
  }

  /** Whether the items are sorted now. */
  #partialInsertionSort(a: number, b: number): boolean {
    let i = a + 1;
    for (let shifts = 0; shifts < shiftsMax; shifts++) {
      while (i < b && !this.#less(i, i - 1)) i++;
      if (i === b) return true;
      if (b - a < shortestShifting) return false;
      this.#swap(i, i - 1);
      if (i - a >= 2) for (let j = i - 1; j >= 1 && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
      if (b - i >= 2) for (let j = i + 1; j < b && this.#less(j, j - 1); j++) this.#swap(j, j - 1);
    }
    return false;
  }

  /** Items equal to the pivot first; none is smaller. Returns where the greater ones begin. */
  #partitionEqual(a: number, b: number, pivot: number): number {
    this.#swap(a, pivot);
    for (let [i, j] = [a + 1, b - 1]; ; i++, j--) {
      while (i <= j && !this.#less(a, i)) i++;
      while (i <= j && this.#less(a, j)) j--;
      if (i > j) return i;
      this.#swap(i, j);
    }
  }

  #partition(a: number, b: number, pivot: number): { middle: number; wasAlready: boolean } {
    this.#swap(a, pivot);
    for (let [i, j, wasAlready] = [a + 1, b - 1, true]; ; i++, j--, wasAlready = false) {
      while (i <= j && this.#less(i, a)) i++;
      while (i <= j && !this.#less(j, a)) j--;
      if (i > j) {
        this.#swap(j, a);
        return { middle: j, wasAlready };
      }
      this.#swap(i, j);
    }
  }
}

function xorshift(seed: number): () => bigint {
  let state = BigInt(seed);
  return () => {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    return state;
  };
}
