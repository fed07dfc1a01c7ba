/**
 * Coordinates the compaction of an etcd under several API servers, ours and upstream's: the first one in each interval
 * does it, by the algorithm of upstream's servers.
 */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock, Timer } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Revision } from '../storage.ts';

/** Outside all directories; its version counts the rounds, its value is the last compacted revision. */
export const compactionKey = 'compact_rev_key';

/** A server's knowledge of the last round. */
export interface CompactionRound {
  /** The version of the key: the number of rounds. */
  readonly count: number;
  /** The newest revision at that time. A round later it is old enough to be compacted. */
  readonly revision: Revision;
}

export interface SharedStore {
  /** Counts a round, unless another server has done so since: then it returns the current count. */
  countRound(before: CompactionRound): Promise<CompactionRound & { readonly isCounted: boolean }>;
  compact(revision: Revision): Promise<void>;
}

/** Runs every `intervalMs`, starting after the first interval; never with 0. */
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
    if (!isStopped) timer = clock.after(intervalMs, () => detach(round()), { idle: true });
  };
  schedule();
  return {
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
