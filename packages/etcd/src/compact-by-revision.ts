import type { Clock, Timer } from '@coxswain/apimachinery';
import type { Engine } from '@coxswain/storage';

/** As in etcd. */
const everyMs = 5 * 60 * 1000;

/** Periodically compacts all but the last `revisions` revisions. Does nothing if `revisions` is 0. */
export function compactByRevision(engine: Engine, clock: Clock, revisions: number): { stop(): void } {
  let timer: Timer | undefined;
  const schedule = (): void => {
    timer = clock.after(everyMs, round, { idle: true });
  };
  const round = (): void => {
    const wanted = engine.revision - revisions;
    // Another client may have compacted further, or the store is closing; the next round will find out.
    if (wanted > engine.compactedRevision) engine.compact(wanted).catch(() => undefined);
    schedule();
  };
  if (revisions > 0) schedule();
  return { stop: () => timer?.cancel() };
}
