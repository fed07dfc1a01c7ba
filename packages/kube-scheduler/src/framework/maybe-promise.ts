/** A value or its promise: an available value is used at once, without even waiting for a microtask. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Equivalent to `await` in a `try`, but synchronous if there is nothing to wait for.
 * @param failed handles what `run` throws or rejects with; errors from `next` propagate to the caller
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
