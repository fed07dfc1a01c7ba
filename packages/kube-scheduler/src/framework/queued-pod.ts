import type { PodInfo } from '../cache/pod-info.ts';

/** A pod on its way to a node. */
export interface QueuedPod {
  info: PodInfo;
  readonly uid: string;
  /** When it last entered the queue, milliseconds of the clock. */
  queuedMs: number;
  attempts: number;
  /** When it was last taken to be tried, and when for the first time; milliseconds of the clock. */
  poppedMs: number;
  firstPoppedMs: number;
  /** Refusals since it was last placed; they lengthen the back-off. */
  refusals: number;
  /** Attempts in a row that ended in an error. */
  errors: number;
  backoffUntilMs: number;
  /** When it came to rest among the unschedulable ones. */
  restingSinceMs: number;
  /** Names of the plugins that refused it last; empty after an error. */
  rejectedBy: ReadonlySet<string>;
  place: QueuePlace;
}

/**
 * `active`: to be tried next; `backoff`: may be tried when nothing is active; `errorBackoff`: not before its
 * time; `resting`: waits for an event that helps; `gated`: a plugin does not let it in; `inFlight`: being tried.
 */
export type QueuePlace = 'active' | 'backoff' | 'errorBackoff' | 'resting' | 'gated' | 'inFlight';
