/** Lets all else go on that is ready to: for work on very many things. No clock is asked: nothing is waited for. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => atNextTurn(resolve));

/** Browsers have no setImmediate. */
export const atNextTurn: (callback: () => void) => void =
  globalThis.setImmediate === undefined
    ? (callback) => void setTimeout(callback, 0)
    : (callback) => void globalThis.setImmediate(callback);

const { process: node } = globalThis as {
  readonly process?: { readonly nextTick?: (callback: () => void) => void };
};

/** Calls when what is being done now has come to its end, with all that follows from it at once. */
export const afterwards: (callback: () => void) => void =
  node?.nextTick === undefined ? atNextTurn : (callback) => queueMicrotask(() => node.nextTick!(callback));

let atEnd: (() => void)[] = [];

/** Calls once at the end of this turn of the event loop, before work that can wait gets its slice. */
export function atEndOfTurn(callback: () => void): void {
  if (atEnd.push(callback) === 1) atNextTurn(endTurn);
}

/** Calls now what is to be called {@link atEndOfTurn}. */
export function endTurn(): void {
  const ready = atEnd;
  atEnd = [];
  for (const callback of ready) callback();
}
