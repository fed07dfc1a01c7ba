/** Lets all else go on that is ready to: for work on very many things. No clock is asked: nothing is waited for. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => atNextTurn(resolve));

/** Browsers have no setImmediate. */
export const atNextTurn: (callback: () => void) => void =
  globalThis.setImmediate === undefined
    ? (callback) => void setTimeout(callback, 0)
    : (callback) => void globalThis.setImmediate(callback);
