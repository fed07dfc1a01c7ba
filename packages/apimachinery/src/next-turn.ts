/** Lets all else go on that is ready to: for work on very many things. No clock is asked: nothing is waited for. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => atNextTurn(resolve));

/** Browsers have no setImmediate. */
export const atNextTurn: (callback: () => void) => void =
  typeof setImmediate === 'function'
    ? (callback) => void setImmediate(callback)
    : (callback) => void setTimeout(callback, 0);
