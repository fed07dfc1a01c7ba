import type { Clock, Timer } from '@coxswain/apimachinery';
import {
  StorageError,
  canReportProgress,
  isLocal,
  type KeyRange,
  type LocalStorage,
  type Revision,
  type Storage,
} from '../storage.ts';
import type { Freshness } from './cache-list.ts';
import { SingleFlight } from './single-flight.ts';
import { RevisionWaits } from './wait-for-revision.ts';

/** How long a read waits for its revision; as upstream. */
const waitMsMax = 3_000;
/** Upstream's interval of progress requests while a read waits. */
const progressAgainMs = 100;
const localPollMs = 50;

/** Tracks how far a cache has followed its store, and waits until it is as fresh as a read requires. */
export class CachePosition {
  readonly #storage: Storage;
  readonly #local: LocalStorage | undefined;
  readonly #range: KeyRange;
  readonly #clock: Clock;
  readonly #waits: RevisionWaits;
  readonly #newest: SingleFlight<Revision>;
  /** For a remote store: the revision up to which all events were received. */
  #reported: Revision = 0;
  #written: Revision = 0;
  #progressAskedFor: Revision = 0;
  #progressTimer: Timer | undefined;

  constructor(storage: Storage, range: KeyRange, clock: Clock) {
    this.#storage = storage;
    this.#local = isLocal(storage) ? storage : undefined;
    this.#range = range;
    this.#clock = clock;
    this.#waits = new RevisionWaits(clock);
    this.#newest = new SingleFlight(() => storage.revision());
  }

  /** Everything up to this revision is known. An in-process store is never ahead of its cache. */
  get revision(): Revision {
    return this.#local === undefined ? this.#reported : this.#local.currentRevision;
  }

  /** The revision of the newest write through the cache. */
  get written(): Revision {
    return this.#written;
  }

  noteWritten(revision: Revision): void {
    if (revision > this.#written) this.#written = revision;
  }

  /** Sets the revision of a new list. */
  startAt(revision: Revision): void {
    // A store restored to an earlier state never reaches the revisions of former writes.
    this.#written = Math.min(this.#written, revision);
    this.advanceTo(revision);
  }

  advanceTo(revision: Revision): void {
    this.#reported = revision;
    if (this.#waits.some) this.#waits.reached(this.revision);
  }

  /** Whether a read can be answered at once. */
  isFresh(notOlderThan: Freshness): boolean {
    if (notOlderThan === 'any') return true;
    if (notOlderThan === undefined) return this.#local !== undefined;
    return notOlderThan <= this.revision;
  }

  /** Has a remote store report how far it is, even if there are no events. */
  async refresh(): Promise<void> {
    if (canReportProgress(this.#storage) && (await this.#storage.reportsProgress()))
      this.#storage.requestProgress(this.#range);
  }

  /** If the store cannot report progress, the newest state has to be read from it. */
  async mustAskStore(): Promise<boolean> {
    return canReportProgress(this.#storage) && !(await this.#storage.reportsProgress());
  }

  /**
   * Resolves when everything up to the revision is known. 'restored': the store went back to an earlier state, so its
   * history differs from the cached one.
   * @throws StorageError 'future-revision' when the revision doesn't arrive in time
   */
  async reach(notOlderThan: Freshness): Promise<'reached' | 'restored'> {
    if (notOlderThan === 'any') return 'reached';
    const seen = this.revision;
    const wanted = notOlderThan ?? (await this.#newest.ask());
    if (notOlderThan === undefined && wanted < seen) return 'restored';
    if (wanted <= this.revision) return 'reached';
    this.#askForProgress(wanted);
    const isReached = await (this.#local === undefined
      ? this.#waits.wait(wanted, waitMsMax)
      : this.#awaitLocal(wanted));
    if (isReached) return 'reached';
    const { revision } = this;
    throw new StorageError('future-revision', `revision ${wanted} has not come`, { revision });
  }

  /**
   * Readers that wait for the same revision share a request. It may get lost, so it is repeated while somebody waits.
   */
  #askForProgress(wanted: Revision): void {
    const storage = this.#storage;
    if (!canReportProgress(storage)) return;
    if (this.#progressTimer !== undefined && wanted <= this.#progressAskedFor) return;
    this.#progressAskedFor = wanted;
    storage.requestProgress(this.#range);
    this.#progressTimer?.cancel();
    const again = () => {
      this.#progressTimer = undefined;
      if (this.#waits.some) this.#askForProgress(this.#progressAskedFor);
    };
    this.#progressTimer = this.#clock.after(progressAgainMs, again, { idle: true });
  }

  /** Writes to other resources, of which the cache gets no events, also advance the store's revision. */
  async #awaitLocal(wanted: Revision): Promise<boolean> {
    const untilMs = this.#clock.monotonic() + waitMsMax;
    while (this.revision < wanted && this.#clock.monotonic() < untilMs) await this.#clock.sleep(localPollMs);
    return this.revision >= wanted;
  }
}
