/** `node:timers/promises` */

export const setTimeout = (delayMs: number): Promise<void> =>
  new Promise((resolve) => void globalThis.setTimeout(resolve, delayMs));

export const setImmediate = (): Promise<void> => setTimeout(0);
