/** Long work as a generator: its caller may let other work pass whenever it yields. */

/** Yields after some tens of microseconds of work, and returns its result. */
export type Steps<T> = Generator<void, T, void>;

/** The number of parts, such as the values of a selector, that a step reads or sorts. */
export const partsPerStep = 256;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** A merge sort: stable, and `items` are not modified. */
export function* sortedInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  if (items.length <= partsPerStep) return [...items].sort(compare);
  const middle = items.length >> 1;
  const low = yield* sortedInSteps(items.slice(0, middle), compare);
  const high = yield* sortedInSteps(items.slice(middle), compare);
  const merged: T[] = [];
  for (let [at, other] = [0, 0]; merged.length < items.length;) {
    if (merged.length % partsPerStep === 0) yield;
    const isLow = other === high.length || (at < low.length && compare(low[at]!, high[other]!) <= 0);
    merged.push(isLow ? low[at++]! : high[other++]!);
  }
  return merged;
}
