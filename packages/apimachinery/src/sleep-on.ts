import { relayed } from './relayed-signal.ts';

interface Timers {
  after(delayMs: number, callback: () => void): { cancel(): void };
}

/** Resolves after `delayMs`; rejects with the signal's reason if it aborts first. */
export function sleepOn(timers: Timers, delayMs: number, owner?: AbortSignal): Promise<void> {
  const signal = relayed(owner);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = timers.after(delayMs, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    const stop = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
