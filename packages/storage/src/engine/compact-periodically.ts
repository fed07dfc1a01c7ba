import type { Clock, Timer } from '@coxswain/apimachinery';
import type { Revision } from '../storage.ts';
import type { Engine } from './engine.ts';

/** How often the past is shortened, within the time that it is kept. */
const roundsPerHistory = 5;
/** How often it is looked whether there are too many revisions, where no time bounds them. */
const countEveryMs = 60_000;

/** How much of the past is kept. 0: no bound. */
export interface History {
  readonly ms: number;
  readonly revisions: number;
}

/** Forgets revisions older than `history.ms`, a fifth of it at a time, and all but `history.revisions`. */
export function compactPeriodically(engine: Engine, clock: Clock, history: History): { stop(): void } {
  if (history.ms === 0 && history.revisions === 0) return { stop: () => undefined };
  let timer: Timer;
  /** The newest revision at the end of each of the last rounds, oldest first. */
  let marks: Revision[] = [engine.revision];

  const round = (): void => {
    marks.push(engine.revision);
    const passed = marks.length > roundsPerHistory ? marks.shift()! : 0;
    const outdated = history.ms === 0 ? 0 : passed;
    const wanted = Math.max(outdated, history.revisions === 0 ? 0 : engine.revision - history.revisions);
    // A failure (the store was closed, or somebody compacted further) leaves it to the next round.
    if (wanted > engine.compactedRevision) engine.compact(wanted).catch(() => undefined);
    schedule();
  };
  const schedule = (): void => {
    timer = clock.after(history.ms === 0 ? countEveryMs : history.ms / roundsPerHistory, round, {
      idle: true,
    });
  };
  schedule();
  return {
    stop() {
      timer.cancel();
      marks = [];
    },
  };
}
