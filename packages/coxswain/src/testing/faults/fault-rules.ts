/** What shall go wrong in a test cluster: rules that are added and taken away while it runs. */

import type { RequestPattern } from '../requests/request-log.ts';
import { durationMs } from '../virtual-clock.ts';
import type { Duration } from '../virtual-clock.ts';

export type FaultAction =
  /** Answered with this code, without having been carried out; 500 when no code is given. */
  | 'error'
  /** Carried out later. */
  | 'latency'
  /** A write is answered with 409, as if somebody had been faster. */
  | 'conflict'
  /** The watch ends, at once or after some of its events. */
  | 'dropWatch'
  /** A read gets what was there some time ago. */
  | 'staleRead'
  /** Carried out, and answered with 504: whoever asked cannot know. */
  | 'lostAnswer';

export interface Fault extends RequestPattern {
  readonly action: FaultAction;
  /** From 0 to 1; always when absent. */
  readonly probability?: number;
  /** It happens so often and then no more. */
  readonly times?: number;
  /** Of `error`: 400 to 599. */
  readonly code?: number;
  /** Of `error` and `conflict`. */
  readonly message?: string;
  /** Of `latency`, in the cluster's time: `'300ms'`. One second when absent. */
  readonly delay?: Duration;
  /** Of `staleRead`: how many writes of anybody the answer lags behind; 10 when absent. */
  readonly lag?: number;
  /** Of `dropWatch`: so many events come before it ends; none when absent. */
  readonly afterEvents?: number;
}

export interface ActiveFault {
  readonly fault: Fault;
  /** How often it has happened. */
  readonly count: number;
  /** It happens no more. */
  remove(): void;
}

export interface Faults {
  /** @throws TypeError for a rule that makes no sense */
  add(fault: Fault): ActiveFault;
  /** Nothing goes wrong any more. */
  clear(): void;
  list(): readonly ActiveFault[];
}

const actions: ReadonlySet<string> = new Set<FaultAction>([
  'error',
  'latency',
  'conflict',
  'dropWatch',
  'staleRead',
  'lostAnswer',
]);

/** @throws TypeError with one line that tells what is wrong */
export function checkFault({
  action,
  probability = 1,
  code = 500,
  times = 1,
  delay = 0,
  lag = 1,
}: Fault): void {
  if (!actions.has(action))
    throw new TypeError(`a fault's action is one of ${[...actions].join(', ')}, not "${String(action)}"`);
  if (!(probability >= 0 && probability <= 1))
    throw new TypeError(`a fault's probability is from 0 to 1, not ${probability}`);
  if (!Number.isInteger(code) || code < 400 || code > 599)
    throw new TypeError(`a fault's code is from 400 to 599, not ${code}`);
  if (!Number.isInteger(times) || times < 1)
    throw new TypeError(`a fault's times is 1 or more, not ${times}`);
  if (!Number.isInteger(lag) || lag < 1) throw new TypeError(`a fault's lag is 1 or more, not ${lag}`);
  if (!(durationMs(delay) >= 0)) throw new TypeError(`a fault's delay is not negative: ${delay}`);
}
