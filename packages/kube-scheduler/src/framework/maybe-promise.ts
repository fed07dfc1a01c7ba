/** A value, or the promise of one: what is at hand is not waited for, not even for a turn. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * What `await` in a `try` would do, at once where there is nothing to wait for.
 * @param failed takes what `run` throws or rejects with; what `next` throws is the caller's
 */
export function andThen<T, U>(
  run: () => MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
  failed: (error: unknown) => MaybePromise<U>,
): MaybePromise<U> {
  let value: MaybePromise<T>;
  try {
    value = run();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(next, failed) : next(value);
}
