/** Sets of completion indexes in the notation `0,2-5,9`. */

import { parseInt64 } from '@coxswain/apimachinery';

interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Immutable; the intervals are sorted and never adjacent. */
export class IndexSet {
  readonly #intervals: readonly Interval[];

  private constructor(intervals: readonly Interval[]) {
    this.#intervals = intervals;
  }

  static readonly empty = new IndexSet([]);

  /** Ignores invalid parts, and indexes that are not below `completions`. */
  static parse(text: string | undefined, completions: number): IndexSet {
    if (!text) return IndexSet.empty;
    const intervals: Interval[] = [];
    for (const part of text.split(',')) {
      const [firstText = '', lastText] = part.split('-');
      const first = parseInt64(firstText);
      const last = lastText === undefined ? first : parseInt64(lastText);
      if (first === undefined || last === undefined) continue;
      if (Number(first) >= completions) break;
      intervals.push({ first: Number(first), last: Math.min(Number(last), completions - 1) });
    }
    return new IndexSet(merged(intervals));
  }

  get size(): number {
    return this.#intervals.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  }

  has(index: number): boolean {
    return this.#intervals.some(({ first, last }) => first <= index && index <= last);
  }

  with(indexes: Iterable<number>): IndexSet {
    const added = [...indexes].map((index) => ({ first: index, last: index }));
    return added.length === 0 ? this : new IndexSet(merged([...this.#intervals, ...added]));
  }

  union(other: IndexSet): IndexSet {
    return new IndexSet(merged([...this.#intervals, ...other.#intervals]));
  }

  /** The number of indexes in both sets. */
  overlap(other: IndexSet): number {
    let count = 0;
    for (const a of this.#intervals) {
      for (const b of other.#intervals)
        count += Math.max(0, Math.min(a.last, b.last) - Math.max(a.first, b.first) + 1);
    }
    return count;
  }

  /** The lowest `count` indexes below `completions` that are not in the set. */
  firstMissing(count: number, completions: number): number[] {
    const missing: number[] = [];
    let candidate = 0;
    for (const { first, last } of [...this.#intervals, { first: completions, last: completions }]) {
      for (; candidate < Math.min(first, completions) && missing.length < count; candidate++)
        missing.push(candidate);
      candidate = Math.max(candidate, last + 1);
    }
    return missing;
  }

  toString(): string {
    return this.#intervals
      .map(({ first, last }) =>
        first === last ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`,
      )
      .join(',');
  }
}

function merged(intervals: readonly Interval[]): Interval[] {
  const result: Interval[] = [];
  for (const next of [...intervals].sort((a, b) => a.first - b.first)) {
    const last = result.at(-1);
    if (last !== undefined && next.first <= last.last + 1) {
      result[result.length - 1] = { first: last.first, last: Math.max(last.last, next.last) };
    } else result.push(next);
  }
  return result;
}
