/** How many threads serve large requests beside the main one. */
import { availableParallelism } from 'node:os';

/** Each has a heap of its own, and the main thread needs a processor for itself. */
const workersMax = 4;

/**
 * @param threads of `--threads`: all of them, the main one included; 0 for as many as the machine has use for. On a
 * machine with a single processor that is two all the same: the system then divides its time.
 */
export const workersOf = (threads: number): number =>
  threads > 0 ? threads - 1 : Math.min(workersMax, Math.max(1, availableParallelism() - 1));
