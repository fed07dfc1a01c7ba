/** The past of a store that does not forget by itself: an etcd under API servers, as many as there are. */
import type { Clock, Timer } from '@coxswain/apimachinery';
import type { Revision, Storage } from './storage.ts';

/**
 * Every `intervalMs`, forgets what was old at the round before, so that between one and two intervals of the past
 * are kept. Several servers may do it to one store. With 0 it does nothing.
 */
export function compactRegularly(
  storage: Pick<Storage, 'revision' | 'compact'>,
  clock: Clock,
  intervalMs: number,
): { stop(): void } {
  let timer: Timer | undefined;
  let isStopped = intervalMs === 0;
  let before: Revision = 0;

  const round = async (): Promise<void> => {
    try {
      const now = await storage.revision();
      if (before > 0 && !isStopped) await storage.compact(before);
      before = now;
    } catch {
      // Another server has compacted further, or the store is away: the next round is as good.
      before = 0;
    }
    schedule(intervalMs);
  };
  const schedule = (delayMs: number): void => {
    if (!isStopped) timer = clock.after(delayMs, () => void round(), { idle: true });
  };
  schedule(0);
  return {
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
