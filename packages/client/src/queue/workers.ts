/** Workers that take keys from a queue and reconcile them until they are told to stop. */

import type { WorkQueue } from './work-queue.ts';

/** Who works on what. */
export interface WorkersOptions {
  readonly queue: WorkQueue;
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Throws to have the key tried again later; a number asks to be called again after so many milliseconds. */
  reconcile(key: string): Promise<number | void> | number | void;
  /** Receives what `reconcile` throws. The key is tried again. */
  readonly onError?: (error: unknown, key: string) => void;
  /** After this many consecutive failures, a key is dropped until it changes. Never by default. */
  readonly retriesMax?: number;
}

/**
 * Resolves when the signal was aborted and the last reconcile is over.
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

/** Waits for keys in the name of all workers: one that has nothing to do is nothing but a number. */
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
    void reconcileOne(options, key).then(left, fail);
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
