/**
 * Work that takes time on the wall while no time passes on a component's clock: a module that is loaded when it is first
 * needed, a signature. Whoever lets a virtual clock run waits until none is under way; otherwise minutes would pass
 * while a file is read.
 */

/** When others stop waiting for it, by the time on the wall. */
interface Work {
  readonly waitedForUntilMs: number;
}

const underWay = new Set<Work>();

/** How much of it there is now, in this process. */
export function worksInWallTime(): number {
  if (underWay.size === 0) return 0;
  const nowMs = performance.now();
  let count = 0;
  for (const { waitedForUntilMs } of underWay) if (waitedForUntilMs > nowMs) count++;
  return count;
}

/**
 * Such work begins; what is returned ends it, and may be called more than once.
 * @param patienceMs for what may never end: so long others wait for it, on the wall
 */
export function beginInWallTime(patienceMs = Infinity): () => void {
  const work = { waitedForUntilMs: patienceMs === Infinity ? Infinity : performance.now() + patienceMs };
  underWay.add(work);
  return () => void underWay.delete(work);
}

/**
 * Runs such work. On a real clock this changes nothing.
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
