/** Yields to everything else that is ready, for work on very many things. It doesn't involve the clock. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => atNextTurn(resolve));

/** Browsers have no setImmediate. */
export const atNextTurn: (callback: () => void) => void =
  globalThis.setImmediate === undefined
    ? (callback) => void setTimeout(callback, 0)
    : (callback) => void globalThis.setImmediate(callback);

const { process: node } = globalThis as {
  readonly process?: { readonly nextTick?: (callback: () => void) => void };
};

/** Calls the function after the current task and its immediate consequences. */
export const afterwards: (callback: () => void) => void =
  node?.nextTick === undefined ? atNextTurn : (callback) => queueMicrotask(() => node.nextTick!(callback));

let atEnd: (() => void)[] = [];

/** Calls the function once at the end of this event-loop turn, before deferrable work gets its slice. */
export function atEndOfTurn(callback: () => void): void {
  if (atEnd.push(callback) === 1) atNextTurn(endTurn);
}

/** Immediately calls everything scheduled by {@link atEndOfTurn}. */
export function endTurn(): void {
  const ready = atEnd;
  atEnd = [];
  for (const callback of ready) callback();
}
