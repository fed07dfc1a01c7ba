/** The watches that another thread has opened here. */
import {
  isLocal,
  canReportProgress,
  type EventBatch,
  type KeyRange,
  type LocalStorage,
  type Revision,
  type Storage,
} from '../storage.ts';
import { entryToPost } from './storage-messages.ts';

interface PostedWatch {
  readonly range: KeyRange;
  readonly storage: Storage;
  readonly report: (batch: EventBatch) => void;
  stop(): void;
}

export interface WatchListener {
  onBatch(batch: EventBatch): void;
  /** Called once; without a reason when the watch was stopped. */
  onEnd(reason?: unknown): void;
}

export class PostedWatches {
  readonly #open = new Map<number, PostedWatch>();

  open(id: number, storage: Storage, range: KeyRange, after: Revision, listener: WatchListener): void {
    const report = (batch: EventBatch): void => listener.onBatch(batchToPost(batch));
    const end = (reason?: unknown): void => {
      this.#open.delete(id);
      listener.onEnd(reason);
    };
    // It may end immediately.
    const watch: PostedWatch = { range, storage, report, stop: () => stop() };
    this.#open.set(id, watch);
    const stop = isLocal(storage)
      ? subscribed(storage, range, after, report, end)
      : followed(storage, range, after, report, end);
  }

  stop(id: number): void {
    this.#open.get(id)?.stop();
  }

  stopAll(): void {
    for (const { stop } of this.#open.values()) stop();
  }

  /**
   * A local store has sent all events of previous writes at this point; others have progress notifications of their
   * own.
   */
  reportProgress(range: KeyRange): void {
    for (const { storage, range: own, report } of this.#open.values()) {
      if (own.start !== range.start || own.end !== range.end) continue;
      if (isLocal(storage)) report({ revision: storage.currentRevision, events: [] });
      else if (canReportProgress(storage)) storage.requestProgress(range);
    }
  }
}

function subscribed(
  storage: LocalStorage,
  range: KeyRange,
  after: Revision,
  report: (batch: EventBatch) => void,
  end: (reason?: unknown) => void,
): () => void {
  const subscription = storage.subscribe(range, after, { onEvents: report, onEnd: end });
  return () => {
    subscription.cancel();
    end();
  };
}

function followed(
  storage: Storage,
  range: KeyRange,
  after: Revision,
  report: (batch: EventBatch) => void,
  end: (reason?: unknown) => void,
): () => void {
  const abort = new AbortController();
  const follow = async () => {
    for await (const batch of storage.watch(range, after, abort.signal)) report(batch);
  };
  follow().then(() => end(), end);
  return () => abort.abort();
}

const batchToPost = ({ events, revision }: EventBatch): EventBatch => ({
  revision,
  events: events.map(({ type, entry, previous }) => ({
    type,
    entry: entryToPost(entry),
    ...(previous && { previous: entryToPost(previous) }),
  })),
});
