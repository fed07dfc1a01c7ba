/** A value, or the promise of one: what is at hand is not waited for, not even for a turn. */
export type Later<T> = T | Promise<T>;

/**
 * What `await` in a `try` would do, at once where there is nothing to wait for.
 * @param failed takes what `run` throws or rejects with; what `next` throws is the caller's
 */
export function andThen<T, U>(
  run: () => Later<T>,
  next: (value: T) => Later<U>,
  failed: (error: unknown) => Later<U>,
): Later<U> {
  let value: Later<T>;
  try {
    value = run();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(next, failed) : next(value);
}
