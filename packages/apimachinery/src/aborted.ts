/** Resolves when the signal aborts, at once if it already has; never rejects. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * The result of a start; undefined if the signal aborts first. Then the result is stopped as soon as it arrives, and a
 * failure is ignored.
 * @throws the error of the start
 */
export async function startedUnlessAborted<T>(
  signal: AbortSignal,
  starting: Promise<T>,
  stop: (started: T) => unknown,
): Promise<T | undefined> {
  const started = await Promise.race([starting, aborted(signal)]);
  if (!signal.aborted) return started as T;
  starting.then(stop).catch(() => undefined);
  return undefined;
}

/**
 * The result of `work`, unless the signal aborts first; a later result is ignored.
 * @throws the signal's reason when it aborts first, or what `reason` returns
 */
export async function unlessAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  reason = (): unknown => signal.reason,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(reason());
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => undefined);
  }
}
