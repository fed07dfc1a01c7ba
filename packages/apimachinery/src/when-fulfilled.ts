/**
 * Calls `listener` with what comes of the promise. Its failure is told by whoever made it: to follow it is no reason
 * for the program to end, as it would with `void promise.then(listener)`.
 */
export const whenFulfilled = <T>(promise: PromiseLike<T> | undefined, listener: (value: T) => void): void => {
  promise?.then(listener, () => undefined);
};
