import type { Clock, Timer } from '@coxswain/apimachinery';
import type { Revision } from '../storage.ts';
import type { Engine } from './engine.ts';

/** How often the past is shortened, within the time that it is kept. */
const roundsPerHistory = 5;
/** However short the time, no more revisions of the past than this are kept. */
const historyRevisionsMax = 500_000;

/** Forgets revisions older than `historyMs`, a fifth of it at a time. With 0 it does nothing. */
export function compactPeriodically(engine: Engine, clock: Clock, historyMs: number): { stop(): void } {
  if (historyMs === 0) return { stop: () => undefined };
  let timer: Timer;
  /** The newest revision at the end of each of the last rounds, oldest first. */
  let marks: Revision[] = [engine.revision];

  const round = (): void => {
    marks.push(engine.revision);
    const outdated = marks.length > roundsPerHistory ? marks.shift()! : 0;
    const wanted = Math.max(outdated, engine.revision - historyRevisionsMax);
    // A failure (the store was closed, or somebody compacted further) leaves it to the next round.
    if (wanted > engine.compactedRevision) engine.compact(wanted).catch(() => undefined);
    schedule();
  };
  const schedule = (): void => {
    timer = clock.after(historyMs / roundsPerHistory, round, { idle: true });
  };
  schedule();
  return {
    stop() {
      timer.cancel();
      marks = [];
    },
  };
}
