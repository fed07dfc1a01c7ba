/** Resolves when the signal aborts, at once where it has; never rejects. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * What is being started; undefined where the signal aborts first. Then nobody waits for it: it is stopped when it is
 * there, and whatever fails is of no interest any more.
 * @throws what the start throws
 */
export async function startedUnlessAborted<T>(
  signal: AbortSignal,
  starting: Promise<T>,
  stop: (started: T) => unknown,
): Promise<T | undefined> {
  const started = await Promise.race([starting, aborted(signal)]);
  if (!signal.aborted) return started as T;
  void starting.then(stop).catch(() => undefined);
  return undefined;
}

/**
 * What `work` finds out before the signal aborts; what it finds out later, nobody hears of.
 * @throws the signal's reason when it aborts first, or what `reason` gives
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
