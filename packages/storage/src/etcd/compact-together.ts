/**
 * Forgetting the past of an etcd under several API servers, ours and the original's, without a fight: whoever
 * comes first in an interval does it, by the algorithm that the original's servers follow.
 */
import type { Clock, Timer } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Revision } from '../storage.ts';

/** Outside of all directories; its version counts the rounds, its value is what was forgotten last. */
export const compactionKey = 'compact_rev_key';

/** What a server knows of the last round. */
export interface CompactionRound {
  /** The version of the key: how many rounds there were. */
  readonly count: number;
  /** The newest revision then. It is old enough a round later. */
  readonly revision: Revision;
}

export interface SharedStore {
  /** Counts a round, unless somebody else has since: then it tells how many there were. */
  countRound(before: CompactionRound): Promise<CompactionRound & { readonly isCounted: boolean }>;
  compact(revision: Revision): Promise<void>;
}

/** Every `intervalMs`, for the first time after one; never with 0. */
export function compactTogether(
  store: SharedStore,
  clock: Clock,
  intervalMs: number,
  log: (line: string) => void,
): { stop(): void } {
  let timer: Timer | undefined;
  let isStopped = intervalMs === 0;
  let before: CompactionRound = { count: 0, revision: 0 };

  const round = async (): Promise<void> => {
    try {
      const { isCounted, ...now } = await store.countRound(before);
      const old = before.revision;
      before = now;
      if (isCounted && old > 0 && !isStopped) await store.compact(old);
    } catch (failure) {
      if (!isStopped) log(`etcd: compaction failed: ${messageOf(failure)}`);
    }
    schedule();
  };
  const schedule = (): void => {
    if (!isStopped) timer = clock.after(intervalMs, () => void round(), { idle: true });
  };
  schedule();
  return {
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
