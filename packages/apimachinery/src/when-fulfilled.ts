/**
 * Calls `listener` with the value of the promise. A rejection is left to whoever created the promise: following a promise
 * is no reason to end the program, which a floating chain would do.
 */
export const whenFulfilled = <T>(promise: PromiseLike<T> | undefined, listener: (value: T) => void): void => {
  promise?.then(listener, () => undefined);
};
