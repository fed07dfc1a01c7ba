/**
 * Work that takes real time while no time passes on a component's clock: loading a module on demand, a signature.
 * Whoever advances a virtual clock waits until none is in progress; otherwise minutes would pass while a file is read.
 */

/** The real time at which others stop waiting for it. */
interface Work {
  readonly waitedForUntilMs: number;
}

const registry: { [key: symbol]: Set<Work> | undefined } = globalThis as never;
/**
 * One set for all copies of this module in a process: `coxswain`, whose clocks wait, and `@coxswain/client`, whose work
 * they wait for, are packages that each contain it.
 */
const underWay = (registry[Symbol.for('coxswain.works-in-wall-time')] ??= new Set());

/** The number of such works in progress in this process. */
export function worksInWallTime(): number {
  if (underWay.size === 0) return 0;
  const nowMs = performance.now();
  let count = 0;
  for (const { waitedForUntilMs } of underWay) if (waitedForUntilMs > nowMs) count++;
  return count;
}

/**
 * Begins such work; the returned function ends it, and may be called repeatedly.
 * @param patienceMs for work that may never end: how long others wait for it in real time
 */
export function beginInWallTime(patienceMs = Infinity): () => void {
  const work = { waitedForUntilMs: patienceMs === Infinity ? Infinity : performance.now() + patienceMs };
  underWay.add(work);
  return () => void underWay.delete(work);
}

/**
 * Runs such work. With a real clock this changes nothing.
 *
 * @example const { Autoscaling } = await inWallTime(() => import('./autoscaling.ts'));
 */
export async function inWallTime<T>(work: () => Promise<T>): Promise<T> {
  const end = beginInWallTime();
  try {
    return await work();
  } finally {
    end();
  }
}
