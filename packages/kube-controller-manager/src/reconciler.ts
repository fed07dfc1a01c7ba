/** A queue with workers behind it, each reconcile a step that traces and metrics see. */

import { aborted, isStatusError, type KubeObject } from '@coxswain/apimachinery';
import { WorkQueue, controllerRetry, objectKey, runWorkers } from '@coxswain/client';
import { observedReconcile } from '@coxswain/client/queue/observed-reconcile.ts';
import { queueWatcher } from '@coxswain/client/queue/queue-metrics.ts';
import type { ControllerContext } from './controller.ts';
import type { OwnWrites } from './own-writes.ts';

export interface ReconcilerOptions {
  /** Of its queue, in metrics: the original's. */
  readonly queueName: string;
  /** Throws to be called again later; a number asks to be called again after so many milliseconds. */
  reconcile(key: string): Promise<number | void> | number | void;
  /** Of what stands behind a key that is no name, for whoever watches. */
  nameOf?(key: string): string;
  readonly workers?: number;
  /** Resolves when the caches that it reads are filled. */
  readonly ready: () => Promise<unknown>;
  readonly retriesMax?: number;
  /** Of the first retry after a failure. */
  readonly retryFirstMs?: number;
  readonly retryMaxMs?: number;
  /** An object is looked at again only when the caches show what was written for it. */
  readonly ownWrites?: OwnWrites;
  /** How long to wait once they do, so that changes that belong together are looked at together. */
  readonly settleMs?: number;
}

export interface Reconciler {
  add(key: string): void;
  addAfter(key: string, delayMs: number): void;
  addObject(object: KubeObject): void;
  readonly queue: WorkQueue;
}

/** Somebody else was faster: the next try, with what the cache has then, is how it is meant to go on. */
const untoldConflicts = 5;

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
    reconcile: unlessStale(options, queue),
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
          if (isStatusError(error, 'Conflict') && queue.failures(key) < untoldConflicts) return;
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

/** The original fails and tries again later; waiting for the caches comes to the same, without the guesswork. */
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
    void seen.then(() => {
      waiting.delete(key);
      queue.addAfter(key, settleMs);
    });
  };
}
