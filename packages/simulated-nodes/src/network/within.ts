import type { Clock } from '@coxswain/apimachinery';

/** Thrown by {@link within}. */
export const tooLate = Symbol('too late');

/** What `work` finds out in that time; what it finds out later is lost. @throws tooLate */
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
