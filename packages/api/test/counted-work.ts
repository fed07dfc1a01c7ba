/**
 * Measures a function's work independently of the machine: the number of executed blocks, and the lengths of searched
 * arrays.
 */
import { Session } from 'node:inspector/promises';

export interface WorkCounter {
  /** The work of `work`, plus the little that was done since the last count. */
  count(work: () => unknown): Promise<number>;
  stop(): Promise<void>;
}

/** Only files whose URLs match `files` count. */
export async function countedWork(files: RegExp): Promise<WorkCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const blocks = async (): Promise<number> => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    let sum = 0;
    for (const { url, functions } of result) {
      if (!files.test(url)) continue;
      for (const { ranges } of functions) for (const { count } of ranges) sum += count;
    }
    return sum;
  };
  return {
    async count(work) {
      const searched = await countingSearches(work);
      return searched + (await blocks());
    },
    async stop() {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}

/** The lengths of what native functions search, which block counts don't include. */
async function countingSearches(work: () => unknown): Promise<number> {
  let searched = 0;
  const { includes, indexOf, lastIndexOf, join } = Array.prototype;
  // oxlint-disable no-extend-native -- put back below
  Array.prototype.includes = function (...args) {
    searched += this.length;
    return includes.apply(this, args);
  };
  Array.prototype.indexOf = function (...args) {
    searched += this.length;
    return indexOf.apply(this, args);
  };
  Array.prototype.lastIndexOf = function (...args) {
    searched += this.length;
    return lastIndexOf.apply(this, args as [unknown]);
  };
  Array.prototype.join = function (...args) {
    searched += this.length;
    return join.apply(this, args);
  };
  try {
    await work();
  } finally {
    Object.assign(Array.prototype, { includes, indexOf, lastIndexOf, join });
  }
  return searched;
}
