import type { Clock } from '@coxswain/apimachinery';

/** Thrown by {@link within}. */
export const tooLate = Symbol('too late');

/** The result of `work` if it arrives in time; a later result is dropped. @throws tooLate */
export async function within<T>(clock: Clock, timeoutMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = clock.after(timeoutMs, () => reject(tooLate));
  try {
    return await Promise.race([work, promise]);
  } finally {
    timer.cancel();
    work.catch(() => undefined);
  }
}
