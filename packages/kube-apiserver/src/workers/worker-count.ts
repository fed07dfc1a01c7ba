/** The number of threads that serve large requests besides the main one. */
import { availableParallelism } from 'node:os';

/** Each has a heap of its own, and the main thread needs a processor. */
const workersMax = 4;

/**
 * @param threads of `--threads`: all of them including the main one; 0 for as many as the machine can use. On a single
 * processor that is still two: the system then divides its time.
 */
export const workersOf = (threads: number): number =>
  threads > 0 ? threads - 1 : Math.min(workersMax, Math.max(1, availableParallelism() - 1));
