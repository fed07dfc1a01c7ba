/** Lists of a job's indexes as text: `0,3-5`. */

import { goQuote } from '@coxswain/apimachinery';

type Interval = readonly [first: number, last: number];

/**
 * The number of indexes in the text.
 * @throws Error with upstream's message
 */
export function countIndexes(text: string, completions: number): number {
  if (text === '') return 0;
  let total = 0;
  let previous: number | undefined;
  for (const part of text.split(',')) {
    const [first, last] = parseInterval(part, completions);
    if (previous !== undefined && previous >= first) throw notIncreasing(previous, first);
    total += last - first + 1;
    previous = last;
  }
  return total;
}

/** The first index in both lists; invalid parts are skipped. */
export function commonIndex(left: string, right: string, completions: number): number | undefined {
  if (left === '' || right === '') return undefined;
  const lefts = readableIntervals(left, completions);
  const rights = readableIntervals(right, completions);
  let leftAt = 0;
  let rightAt = 0;
  while (leftAt < lefts.length && rightAt < rights.length) {
    const [first, last] = lefts[leftAt]!;
    const [otherFirst, otherLast] = rights[rightAt]!;
    if (first <= otherLast && otherFirst <= last) return Math.max(first, otherFirst);
    if (first <= otherFirst) leftAt++;
    else rightAt++;
  }
  return undefined;
}

function readableIntervals(text: string, completions: number): Interval[] {
  return text.split(',').flatMap((part) => {
    try {
      return [parseInterval(part, completions)];
    } catch {
      return [];
    }
  });
}

function parseInterval(text: string, completions: number): Interval {
  const limits = text.split('-');
  if (limits.length > 2) {
    throw new Error(
      `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  }
  const first = parseIndex(limits[0]!, completions);
  if (limits.length === 1) return [first, first];
  const last = parseIndex(limits[1]!, completions);
  if (first >= last) throw notIncreasing(first, last);
  return [first, last];
}

function parseIndex(text: string, completions: number): number {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    throw new Error(`cannot convert string to integer for index: ${goQuote(text)}`);
  }
  const index = Number(text);
  if (index >= completions) throw new Error(`too large index: ${goQuote(text)}`);
  return index;
}

const notIncreasing = (previous: number, current: number): Error =>
  new Error(`non-increasing order, previous: ${previous}, current: ${current}`);
