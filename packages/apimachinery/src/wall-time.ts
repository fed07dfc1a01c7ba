/**
 * Work that takes time on the wall while no time passes on a component's clock: a module that is loaded when it is first
 * needed, a signature. Whoever lets a virtual clock run waits until none is under way; otherwise minutes would pass
 * while a file is read.
 */

let underWay = 0;

/** How much of it there is now, in this process. */
export const worksInWallTime = (): number => underWay;

/**
 * Runs such work. On a real clock this changes nothing.
 *
 * @example const { Autoscaling } = await inWallTime(() => import('./autoscaling.ts'));
 */
export async function inWallTime<T>(work: () => Promise<T>): Promise<T> {
  underWay += 1;
  try {
    return await work();
  } finally {
    underWay -= 1;
  }
}
