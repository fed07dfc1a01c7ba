import type { Clock, Timer } from '@coxswain/apimachinery';
import type { Revision } from '../storage.ts';
import type { Engine } from './engine.ts';

/** The minimum number of compactions within the retention time. */
const roundsMin = 5;
/** The maximum time between two compactions. */
const roundMsMax = 60_000;

/** How much history is kept. 0: unlimited. */
export interface History {
  readonly ms: number;
  readonly revisions: number;
}

/**
 * Compacts revisions older than `history.ms`, a fifth of that time or a minute at a time, and all but the newest
 * `history.revisions`.
 */
export function compactPeriodically(engine: Engine, clock: Clock, history: History): { stop(): void } {
  if (history.ms === 0 && history.revisions === 0) return { stop: () => undefined };
  let timer: Timer;
  const rounds = Math.max(roundsMin, Math.ceil(history.ms / roundMsMax));
  const roundMs = history.ms === 0 ? roundMsMax : history.ms / rounds;
  /** The newest revision at the end of each of the last rounds, oldest first. */
  let marks: Revision[] = [engine.revision];

  const round = (): void => {
    marks.push(engine.revision);
    const passed = marks.length > rounds ? marks.shift()! : 0;
    const outdated = history.ms === 0 ? 0 : passed;
    const wanted = Math.max(outdated, history.revisions === 0 ? 0 : engine.revision - history.revisions);
    // After a failure (the store was closed, or compacted further) the next round retries.
    if (wanted > engine.compactedRevision) engine.compact(wanted).catch(() => undefined);
    schedule();
  };
  const schedule = (): void => {
    timer = clock.after(roundMs, round, { idle: true });
  };
  schedule();
  return {
    stop() {
      timer.cancel();
      marks = [];
    },
  };
}
