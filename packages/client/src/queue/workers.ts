/** Workers that take keys from a queue and reconcile them until they are stopped. */

import type { WorkQueue } from './work-queue.ts';

/** The queue, the workers, and the reconcile function. */
export interface WorkersOptions {
  readonly queue: WorkQueue;
  readonly workers: number;
  readonly signal: AbortSignal;
  /** A thrown error retries the key later; a number requeues it after that many milliseconds. */
  reconcile(key: string): Promise<number | void> | number | void;
  /** Receives errors of `reconcile`. The key is retried. */
  readonly onError?: (error: unknown, key: string) => void;
  /** After this many consecutive failures, a key is dropped until it changes. Never by default. */
  readonly retriesMax?: number;
}

/**
 * Resolves when the signal was aborted and the last reconcile has finished.
 * @example
 * await runWorkers({
 *   queue,
 *   workers: 4,
 *   signal,
 *   reconcile: async (key) => {
 *     const { namespace, name } = splitObjectKey(key);
 *     const pod = await client.of(Pod).namespace(namespace).get(name);
 *     return pod.status.phase === 'Pending' ? 10_000 : undefined; // again after ten seconds
 *   },
 *   onError: (error, key) => console.error(key, error),
 * });
 */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  const { queue, signal } = options;
  const stop = () => queue.shutDown();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const failed = Promise.withResolvers<never>();
  try {
    await Promise.race([handOut(options, failed.reject), failed.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Waits for keys on behalf of all workers, so that an idle worker costs nothing but a count. */
async function handOut(
  { workers, ...options }: WorkersOptions,
  fail: (error: unknown) => void,
): Promise<void> {
  const { queue, signal } = options;
  let busy = 0;
  let freed: (() => void) | undefined;
  const left = () => {
    busy--;
    freed?.();
  };
  const untilFreed = () => new Promise<void>((resolve) => (freed = resolve));
  for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
    if (signal.aborted) {
      queue.done(key);
      continue;
    }
    busy++;
    reconcileOne(options, key).then(left, fail);
    if (busy >= workers) await untilFreed();
  }
  while (busy > 0) await untilFreed();
}

async function reconcileOne(options: Omit<WorkersOptions, 'workers'>, key: string): Promise<void> {
  const { queue, retriesMax = Infinity } = options;
  try {
    const againMs = await options.reconcile(key);
    queue.forget(key);
    if (typeof againMs === 'number') queue.addAfter(key, againMs);
  } catch (error) {
    if (!options.signal.aborted) {
      options.onError?.(error, key);
      if (queue.failures(key) < retriesMax) queue.addRateLimited(key);
      else queue.forget(key);
    }
  } finally {
    queue.done(key);
  }
}
