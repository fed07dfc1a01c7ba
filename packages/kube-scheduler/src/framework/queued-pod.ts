import type { PodInfo } from '../cache/pod-info.ts';

/** A pod to be scheduled. */
export interface QueuedPod {
  info: PodInfo;
  readonly uid: string;
  /** When it last entered the queue, in milliseconds of the clock. */
  queuedMs: number;
  attempts: number;
  /** When it was last taken from the queue, and when it first was; in milliseconds of the clock. */
  poppedMs: number;
  firstPoppedMs: number;
  /** Refusals since it was last placed, which increase the back-off. */
  refusals: number;
  /** The number of consecutive attempts that ended in an error. */
  errors: number;
  backoffUntilMs: number;
  /** When it joined the unschedulable pods. */
  restingSinceMs: number;
  /** The plugins that refused it last; empty after an error. */
  rejectedBy: ReadonlySet<string>;
  place: QueuePlace;
}

/**
 * `active`: next to be tried; `backoff`: may be tried if nothing is active; `errorBackoff`: not before its time;
 * `resting`: waits for an event that helps; `gated`: a plugin does not admit it to the queue; `inFlight`: being tried.
 */
export type QueuePlace = 'active' | 'backoff' | 'errorBackoff' | 'resting' | 'gated' | 'inFlight';
