/** Sends every event of this thread's store to other threads: encoded once, in the turn in which it is durable. */
import type { Event, LocalStorage, Revision } from '../storage.ts';
import { bytesOfEvents } from './event-bytes.ts';
import { SharedRevisions } from './shared-revisions.ts';

/** Events as bytes that all threads share. */
export interface PostedEvents {
  /** All events up to this revision have been sent. */
  readonly revision: Revision;
  readonly bytes: Uint8Array;
}

type Report = (events: PostedEvents) => void;

const wholeStore = { start: '', end: '\u{10ffff}' };

/** How much history is sent to a thread that starts to follow. */
const pastRevisionsMax = 2_048;

export class EventStream {
  readonly revisions = new SharedRevisions();
  readonly #storage: LocalStorage;
  readonly #followers = new Set<Report>();
  readonly #stop: () => void;
  #waiting: Event[] = [];

  constructor(storage: LocalStorage) {
    this.#storage = storage;
    this.revisions.newest = storage.currentRevision;
    this.revisions.compacted = storage.compactedRevision;
    const subscription = storage.subscribe(wholeStore, storage.currentRevision, {
      onEvents: ({ revision, events }) => {
        this.revisions.newest = revision;
        if (this.#followers.size === 0) return;
        // A group of writes is published in one turn, before any of its writers gets a response.
        if (this.#waiting.length === 0) queueMicrotask(this.#report);
        for (const event of events) this.#waiting.push(event);
      },
      onCompaction: (revision) => (this.revisions.compacted = revision),
      onEnd: () => undefined,
    });
    this.#stop = () => subscription.cancel();
  }

  /**
   * `tell` receives the recent history at once, then every event.
   * @returns the revision after which the events begin, and a function to stop
   */
  follow(report: Report): { readonly after: Revision; readonly stop: () => void } {
    this.#report();
    const { currentRevision, compactedRevision } = this.#storage;
    const after = Math.max(compactedRevision, currentRevision - pastRevisionsMax);
    const past: Event[] = [];
    const reader = {
      onEvents: ({ events }: { readonly events: readonly Event[] }) => void past.push(...events),
    };
    this.#storage.subscribe(wholeStore, after, { ...reader, onEnd: () => undefined }).cancel();
    report({ revision: currentRevision, bytes: bytesOfEvents(past) });
    this.#followers.add(report);
    return { after, stop: () => void this.#followers.delete(report) };
  }

  stop(): void {
    this.#stop();
  }

  readonly #report = (): void => {
    if (this.#waiting.length === 0) return;
    const events: PostedEvents = {
      revision: this.#storage.currentRevision,
      bytes: bytesOfEvents(this.#waiting),
    };
    this.#waiting = [];
    for (const report of this.#followers) report(events);
  };
}
