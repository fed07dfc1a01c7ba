/** A controller: what it reconciles, what triggers it, and how. It is a plain value; {@link Manager.add} runs it. */

import type { Clock, KubeObject } from '@coxswain/apimachinery';
import type { EventRecorder, KindRef, KubeClient } from '@coxswain/client';
import type { Cache } from './cache.ts';
import type { OtherCluster } from './manager.ts';
import type { Predicate } from './predicates.ts';
import type { Request, Result } from './request.ts';

/** The definition passed to {@link controller}. */
export interface Controller<T> {
  /** Unique within a manager. Used in metrics, events and errors. */
  readonly name: string;
  /** The kind to reconcile. */
  readonly for: KindRef<T>;
  /** Filters for its changes. Defaults to all changes. */
  readonly predicates?: readonly Predicate<T & KubeObject>[];
  /** Kinds of objects that it creates: a change to one triggers its controlling owner. */
  readonly owns?: readonly KindRef[];
  /** Other kinds, and the objects that their changes trigger: {@link watch}. */
  readonly watches?: readonly Watch[];
  /** What triggers it from outside the API: {@link Trigger}. */
  readonly triggers?: readonly Trigger[];
  /** The maximum number of concurrent reconciles, never two of the same object. Defaults to 1. */
  readonly maxConcurrentReconciles?: number;
  /** The initial and maximum delay after a failure. Defaults to 5 ms and 1,000 s. */
  readonly retryFirstMs?: number;
  readonly retryMaxMs?: number;
  readonly reconcile: Reconciler;
}

/**
 * Enqueues objects for reasons outside the API, such as a message or a poll. It is called when the controller starts, which
 * is when this instance leads, and runs until `signal` is aborted. A rejection ends the manager.
 * @example
 * const polled: Trigger = async (enqueue, { cache, clock, signal }) => {
 *   while (!signal.aborted) {
 *     for (const widget of cache.of(Widget).list()) enqueue(requestFor(widget));
 *     await clock.sleep(60_000, signal).catch(() => undefined);
 *   }
 * };
 * const scaler = controller({ name: 'scaler', for: Widget, triggers: [polled], reconcile: () => undefined });
 */
export type Trigger = (
  enqueue: (request: Request) => void,
  context: ReconcileContext,
) => Promise<void> | void;

/**
 * Brings the actual state to the desired one. Receives the object's name rather than the change, and is also called
 * when the object is gone. If it throws, it is retried with growing delays; after a {@link TerminalError}, only on the
 * next change.
 */
export type Reconciler = (
  request: Request,
  context: ReconcileContext,
) => Promise<Result | void> | Result | void;

/** The context of a reconcile. */
export interface ReconcileContext {
  /** Reads and writes directly on the server. */
  readonly client: KubeClient;
  /** Reads from memory. */
  readonly cache: Cache;
  /** Records events about an object. */
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Aborted when the manager stops; a running reconcile may finish. */
  readonly signal: AbortSignal;
}

/**
 * Objects of another kind that trigger a controller. Create it with {@link watch}.
 * @example
 * const { kind, requests } = watch(Secret, (secret) => [requestFor(secret)]);
 * const triggered = requests({ metadata: { name: 'tls', namespace: 'shop' } }, manager.cache);
 */
export interface Watch {
  readonly kind: KindRef;
  readonly predicates: readonly Predicate[];
  /** Returns the objects that a change of this one triggers. */
  requests(object: KubeObject, cache: Cache): readonly Request[];
  /** The cluster of the objects. Defaults to that of the manager. */
  readonly cluster?: OtherCluster | undefined;
}

/**
 * Makes changes of another kind trigger the objects returned by `requests`: `watch(Secret, (secret, cache) => …)`. The
 * cache is that of the manager, even for objects of another cluster ({@link Manager.addCluster}).
 * @example
 * const scaler = controller({
 *   name: 'scaler',
 *   for: Widget,
 *   watches: [
 *     watch(Secret, (secret, cache) =>
 *       cache.of(Widget).list(secret.metadata.namespace).map((widget) => requestFor(widget)),
 *     ),
 *   ],
 *   reconcile: () => undefined,
 * });
 */
export const watch = <T>(
  kind: KindRef<T>,
  requests: (object: T & KubeObject, cache: Cache) => readonly Request[],
  predicates: readonly Predicate<T & KubeObject>[] = [],
  cluster?: OtherCluster,
): Watch => ({
  cluster,
  kind,
  predicates: predicates as readonly Predicate[],
  requests: requests as Watch['requests'],
});
