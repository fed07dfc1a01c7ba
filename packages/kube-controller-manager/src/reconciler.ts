/** A work queue with workers; each reconciliation is a step visible in traces and metrics. */

import { aborted, isStatusError, systemClock, type Clock, type KubeObject } from '@coxswain/apimachinery';
import { isContended, nextSlice } from '@coxswain/apimachinery/slices.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { WorkQueue, controllerRetry, objectKey, runWorkers } from '@coxswain/client';
import { observedReconcile } from '@coxswain/client/queue/observed-reconcile.ts';
import { queueWatcher } from '@coxswain/client/queue/queue-metrics.ts';
import type { ControllerContext } from './controller.ts';
import type { OwnWrites } from './own-writes.ts';

export interface ReconcilerOptions {
  /** Upstream's name of the queue in metrics. */
  readonly queueName: string;
  /** A thrown error retries with back-off; a number requeues after that many milliseconds. */
  reconcile(key: string): Promise<number | void> | number | void;
  /** A readable name for a key that isn't one, for observers. */
  nameOf?(key: string): string;
  readonly workers?: number;
  /** Resolves when the caches that it reads are filled. */
  readonly ready: () => Promise<unknown>;
  readonly retriesMax?: number;
  /** The delay of the first retry after a failure. */
  readonly retryFirstMs?: number;
  readonly retryMaxMs?: number;
  /** If set, an object is reconciled again only when the caches show the controller's own writes. */
  readonly ownWrites?: OwnWrites;
  /** A further delay for batching related changes. */
  readonly settleMs?: number;
}

export interface Reconciler {
  add(key: string): void;
  addAfter(key: string, delayMs: number): void;
  addObject(object: KubeObject): void;
  readonly queue: WorkQueue;
}

/** The number of conflicts not reported as errors: after a concurrent write, retrying with a newer cache is normal. */
const unreportedConflicts = 5;

export function startReconciler(context: ControllerContext, options: ReconcilerOptions): Reconciler {
  const { clock, signal, name, observer, metrics } = context;
  const queue = new WorkQueue({
    clock,
    retry: controllerRetry(clock, options.retryFirstMs, options.retryMaxMs),
    watcher: queueWatcher(options.queueName, metrics, clock),
    observer,
  });
  const reconcile = observedReconcile({
    queue,
    observer,
    component: name,
    reconcile: inOwnTurn(clock, unlessStale(options, queue)),
    nameOf: options.nameOf,
    work: options.reconcile,
  });
  context.run(
    (async () => {
      await Promise.race([options.ready(), aborted(signal)]);
      await runWorkers({
        queue,
        workers: options.workers ?? context.settings.concurrentSyncs,
        signal,
        reconcile,
        onError(error, key) {
          if (isStatusError(error, 'Conflict') && queue.failures(key) < unreportedConflicts) return;
          context.onError(error, key);
        },
        ...(options.retriesMax === undefined ? {} : { retriesMax: options.retriesMax }),
      });
    })(),
  );
  return {
    queue,
    add: (key) => queue.add(key),
    addAfter: (key, delayMs) => queue.addAfter(key, delayMs),
    addObject: (object) => queue.add(objectKey(object)),
  };
}

/**
 * While users are served, reconciliations take turns with them. In virtual time nobody waits, and the order of
 * reconciliations is part of a cluster's history.
 */
const inOwnTurn = (clock: Clock, reconcile: ReconcilerOptions['reconcile']): ReconcilerOptions['reconcile'] =>
  clock !== systemClock
    ? reconcile
    : (key) =>
        isContended(clock, clock.monotonic())
          ? nextSlice(clock, 'controllers').then(() => reconcile(key))
          : reconcile(key);

/** Upstream fails and retries later; waiting for the caches is equivalent without guessing the delay. */
function unlessStale(
  { ownWrites, settleMs = 0, reconcile }: ReconcilerOptions,
  queue: WorkQueue,
): ReconcilerOptions['reconcile'] {
  if (ownWrites === undefined) return (key) => reconcile(key);
  const waiting = new Set<string>();
  return (key) => {
    const seen = ownWrites.unseen(key);
    if (seen === undefined) return reconcile(key);
    if (waiting.has(key)) return;
    waiting.add(key);
    whenFulfilled(seen, () => {
      waiting.delete(key);
      queue.addAfter(key, settleMs);
    });
  };
}
