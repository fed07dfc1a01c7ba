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

/** How long a read waits for the revision that it asks for; as in the original. */
const waitMsMax = 3_000;
/** As often as the original asks while somebody waits. */
const progressAgainMs = 100;
const localPollMs = 50;

/** How far a cache is in what its store tells, and how it comes to be as far as a read wants. */
export class CachePosition {
  readonly #storage: Storage;
  readonly #local: LocalStorage | undefined;
  readonly #range: KeyRange;
  readonly #clock: Clock;
  readonly #waits: RevisionWaits;
  readonly #newest: SingleFlight<Revision>;
  /** Of a store behind a network: everything up to here was told. */
  #told: Revision = 0;
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

  /** Everything up to here is known. A store in this process is never ahead of its cache. */
  get revision(): Revision {
    return this.#local === undefined ? this.#told : this.#local.currentRevision;
  }

  /** Of the newest write through the cache. */
  get written(): Revision {
    return this.#written;
  }

  noteWritten(revision: Revision): void {
    if (revision > this.#written) this.#written = revision;
  }

  /** What was listed is of this revision. */
  startAt(revision: Revision): void {
    // A store that was put back to an earlier state never comes to what was written before.
    this.#written = Math.min(this.#written, revision);
    this.advanceTo(revision);
  }

  advanceTo(revision: Revision): void {
    this.#told = revision;
    if (this.#waits.some) this.#waits.reached(this.revision);
  }

  /** Whether a read may be answered at once. */
  isFresh(notOlderThan: Freshness): boolean {
    if (notOlderThan === 'any') return true;
    if (notOlderThan === undefined) return this.#local !== undefined;
    return notOlderThan <= this.revision;
  }

  /** Where nobody can tell how far the cache is, what is to be the newest comes from the store. */
  async mustAskStore(): Promise<boolean> {
    return canReportProgress(this.#storage) && !(await this.#storage.reportsProgress());
  }

  /**
   * Resolves when everything up to there is known. 'restored': the store was put back to an earlier state, and has
   * another past than what is known here.
   * @throws StorageError 'future-revision' when the revision doesn't come in time
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

  /** Many who wait for one revision share a request. It may get lost, so it is sent again while somebody waits. */
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

  /** The store's revision also moves by writes to other resources, of which the cache isn't told. */
  async #awaitLocal(wanted: Revision): Promise<boolean> {
    const untilMs = this.#clock.monotonic() + waitMsMax;
    while (this.revision < wanted && this.#clock.monotonic() < untilMs) await this.#clock.sleep(localPollMs);
    return this.revision >= wanted;
  }
}
