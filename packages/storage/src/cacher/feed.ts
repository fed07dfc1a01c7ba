import type { Clock } from '@coxswain/apimachinery';
import { nextTurn } from '@coxswain/apimachinery/next-turn.ts';
import {
  StorageError,
  StoreReset,
  type Entry,
  type EventBatch,
  type KeyRange,
  type LocalStorage,
  type Revision,
  type Storage,
  type StorageErrorKind,
} from '../storage.ts';

/** Follows the storage on behalf of the cache. */
export interface Feed {
  stop(): void;
}

export interface FeedTarget {
  /** The state at `revision`, which replaces everything before. */
  onList(entries: readonly Entry[], revision: Revision): void;
  onEvents(batch: EventBatch): void;
  /** Events may be missing from here on; `onList` follows, or the store is closed. */
  onGap(reason: 'gap' | 'reset' | 'closed'): void;
  /** A snapshot of the state so far is taken. */
  onSnapshot(snapshot: object): void;
  /** The store went back to that snapshot. Return false if the snapshot is unknown; `onGap` follows. */
  onReset(snapshot: object, revision: Revision): boolean;
  /** Following has ended; it may be started again. */
  onFailure(failure: unknown): void;
  /** The first list failed and is retried. */
  onDelay(failure: unknown): void;
}

const listsAnew: ReadonlySet<StorageErrorKind> = new Set(['compacted', 'encryption']);

/** The page size: its processing blocks the thread for some ten milliseconds. */
const listPageEntries = 2_000;
const retryMsMin = 100;
const retryMsMax = 5_000;

/** An in-process store calls back in the turn of each write, so the cache is never behind. */
export function followLocal(storage: LocalStorage, range: KeyRange, target: FeedTarget): Feed {
  let stopped = false;
  let cancel: (() => void) | undefined;
  const begin = async (): Promise<void> => {
    const { entries, revision } = await listAll(storage, range);
    if (stopped) return;
    target.onList(entries, revision);
    subscribe(revision);
  };
  const subscribe = (after: Revision): void => {
    const subscription = storage.subscribe(range, after, {
      onEvents: (batch) => target.onEvents(batch),
      onSnapshot: (snapshot) => target.onSnapshot(snapshot),
      onEnd,
    });
    cancel = () => subscription.cancel();
  };
  const onEnd = (reason: Error): void => {
    if (stopped) return;
    const isReset = reason instanceof StoreReset;
    const revision = storage.currentRevision;
    if (isReset && target.onReset(reason.snapshot, revision)) return subscribe(revision);
    const isClosed = reason instanceof StorageError && reason.kind === 'closed';
    target.onGap(isClosed ? 'closed' : isReset ? 'reset' : 'gap');
    if (!isClosed) start();
  };
  const start = (): void => void begin().catch((failure: unknown) => target.onFailure(failure));
  start();
  return {
    stop() {
      stopped = true;
      cancel?.();
    },
  };
}

/** A remote store: list, watch, watch again after an interruption, list again when the revision is compacted. */
export function followRemote(storage: Storage, range: KeyRange, target: FeedTarget, clock: Clock): Feed {
  const abort = new AbortController();
  let revision: Revision | undefined;
  let retryMs = retryMsMin;

  const watchOnce = async (): Promise<void> => {
    if (revision === undefined) {
      const list = await listAll(storage, range);
      if (abort.signal.aborted) return;
      revision = list.revision;
      target.onList(list.entries, revision);
    }
    for await (const batch of storage.watch(range, revision, abort.signal)) {
      revision = batch.revision;
      retryMs = retryMsMin;
      target.onEvents(batch);
    }
  };
  const run = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      try {
        await watchOnce();
      } catch (failure) {
        if (abort.signal.aborted) return;
        if (failure instanceof StorageError && failure.kind === 'closed') return target.onGap('closed');
        // Waiting doesn't help against a value that can't be decrypted: the next list reports it.
        if (failure instanceof StorageError && listsAnew.has(failure.kind) && revision !== undefined) {
          revision = undefined;
          target.onGap('gap');
          continue;
        }
        if (revision === undefined) target.onDelay(failure);
      }
      await clock.sleep(retryMs, abort.signal).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, retryMsMax);
    }
  };
  run().catch((failure: unknown) => target.onFailure(failure));
  return { stop: () => abort.abort() };
}

async function listAll(storage: Storage, range: KeyRange): Promise<{ entries: Entry[]; revision: Revision }> {
  const first = await storage.list(range, { limit: listPageEntries, isCountless: true });
  const entries = [...first.entries];
  for (let page = first; page.more;) {
    const start = `${page.entries.at(-1)!.key}\0`;
    await nextTurn();
    page = await storage.list(
      { start, end: range.end },
      { limit: listPageEntries, revision: first.revision, isCountless: true },
    );
    entries.push(...page.entries);
  }
  return { entries, revision: first.revision };
}
