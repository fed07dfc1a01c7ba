import { sortedInSteps, type Steps } from '@coxswain/apimachinery/work-in-steps.ts';
import type { Entry, KeyRange } from '../storage.ts';
import type { Engine, RangeOptions, RangeResult } from './engine.ts';

/** Looking up a page costs as much as some of its entries. */
const entriesPerStep = 256;

/**
 * Reads a range like `engine.range`. The engine may be written between the steps: what a page of keys contained at the
 * revision is what it contains now, but for the keys written since. (History from before is read in one step.)
 * @throws StorageError as `range`; 'compacted' also if the revision is compacted between the steps
 */
export function* rangeInSteps(
  engine: Engine,
  range: KeyRange,
  options: Pick<RangeOptions, 'revision' | 'limit'> = {},
): Steps<RangeResult> {
  const { revision = engine.revision } = options;
  engine.mustBeReadable(revision);
  const count = revision === engine.revision ? engine.range(range, { countOnly: true }).count : undefined;
  const limit = Math.min(options.limit ?? Infinity, count ?? Infinity);
  const entries: Entry[] = [];
  /** The keys that were written before they were read, as they were at the revision. */
  const before = new Map<string, Entry | undefined>();
  let followed = revision;
  let rest = range;
  // The number of past entries is only known at their end.
  while (count === undefined || entries.length < limit) {
    for (const { events } of engine.history(rest, followed)) {
      for (const { entry, previous } of events) if (!before.has(entry.key)) before.set(entry.key, previous);
    }
    followed = engine.revision;
    const page = engine.range(rest, { limit: entriesPerStep, isCountless: true });
    for (const entry of page.entries) if (!before.has(entry.key)) entries.push(entry);
    if (page.count === page.entries.length) break;
    rest = { start: `${page.entries.at(-1)!.key}\0`, end: range.end };
    yield;
  }
  const changed = [...before.values()].filter((entry) => entry !== undefined);
  const all = changed.length === 0 ? entries : yield* sortedInSteps([...entries, ...changed], byKey);
  return { entries: all.slice(0, limit), count: count ?? all.length, revision };
}

const byKey = (a: Entry, b: Entry): number => (a.key < b.key ? -1 : 1);
