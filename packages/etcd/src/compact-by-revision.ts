import type { Clock, Timer } from '@coxswain/apimachinery';
import type { Engine } from '@coxswain/storage';

/** As in etcd. */
const everyMs = 5 * 60 * 1000;

/** Keeps the last `revisions` of the past, and forgets the rest now and then. With 0 it does nothing. */
export function compactByRevision(engine: Engine, clock: Clock, revisions: number): { stop(): void } {
  let timer: Timer | undefined;
  const schedule = (): void => {
    timer = clock.after(everyMs, round, { idle: true });
  };
  const round = (): void => {
    const wanted = engine.revision - revisions;
    // Somebody else may have compacted further, or the store is closing: the next round will see.
    if (wanted > engine.compactedRevision) engine.compact(wanted).catch(() => undefined);
    schedule();
  };
  if (revisions > 0) schedule();
  return { stop: () => timer?.cancel() };
}
