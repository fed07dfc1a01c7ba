/** A controller: which objects it reconciles, what wakes it, and how. A value; {@link Manager.add} makes it run. */

import type { Clock, KubeObject } from '@coxswain/apimachinery';
import type { EventRecorder, KindRef, KubeClient } from '@coxswain/client';
import type { Cache } from './cache.ts';
import type { Runnable } from './manager.ts';
import type { Predicate } from './predicates.ts';
import type { Request, Result } from './request.ts';
import { registerWatches, runController } from './run-controller.ts';

export interface Controller<T> {
  /** Unique in a manager: in metrics, events and errors. */
  readonly name: string;
  /** The kind that is reconciled. */
  readonly for: KindRef<T>;
  /** Which of its changes count; all when absent. */
  readonly predicates?: readonly Predicate<T & KubeObject>[];
  /** Kinds of objects that are made for it: a change wakes the owner that controls them. */
  readonly owns?: readonly KindRef[];
  /** Other kinds, with what their changes wake: {@link watch}. */
  readonly watches?: readonly Watch[];
  /** Never twice for one object at a time; one in all when absent. */
  readonly maxConcurrentReconciles?: number;
  /** Of the first try after a failure, and at most: 5 ms and 1,000 s when absent. */
  readonly retryFirstMs?: number;
  readonly retryMaxMs?: number;
  readonly reconcile: Reconciler;
}

/**
 * Makes what is into what should be. Called with the object's name, not with what has changed: also when it is gone.
 * A throw is tried again, later and later; a {@link TerminalError} only after the next change.
 */
export type Reconciler = (
  request: Request,
  context: ReconcileContext,
) => Promise<Result | void> | Result | void;

export interface ReconcileContext {
  /** Straight to the server. */
  readonly client: KubeClient;
  /** What is known without asking. */
  readonly cache: Cache;
  /** Tells users what happens to an object. */
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Aborted when the manager stops; the reconcile that runs then may end in peace. */
  readonly signal: AbortSignal;
}

export interface Watch {
  readonly kind: KindRef;
  readonly predicates: readonly Predicate[];
  requests(object: KubeObject, cache: Cache): readonly Request[];
}

/** Changes of another kind wake what `requests` says: `watch(Secret, (secret, cache) => …)`. */
export const watch = <T>(
  kind: KindRef<T>,
  requests: (object: T & KubeObject, cache: Cache) => readonly Request[],
  predicates: readonly Predicate<T & KubeObject>[] = [],
): Watch => ({
  kind,
  predicates: predicates as readonly Predicate[],
  requests: requests as Watch['requests'],
});

export const controller = <T>(definition: Controller<T>): Runnable => ({
  name: definition.name,
  needsLeaderElection: true,
  prepare: (manager) => registerWatches(manager, definition),
  start: (manager, signal) => runController(manager, definition, signal),
});
