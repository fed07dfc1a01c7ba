/**
 * The store of another thread, mirrored in this one: every event arrives here in order, so that caches are filled as
 * from a local store. It may be behind; callers for whom that matters wait until it is {@link caughtUp}.
 */
import type { GroupResource } from '@coxswain/apimachinery';
import { batchesOf } from '../engine/batch-queue.ts';
import { WatchHub } from '../engine/watch-hub.ts';
import {
  StorageError,
  closedError,
  type Change,
  type Entry,
  type EventBatch,
  type KeyRange,
  type ListOptions,
  type LocalStorage,
  type Page,
  type Revision,
  type Storage,
  type Subscriber,
  type Subscription,
  type UpdateOptions,
} from '../storage.ts';
import { eventsOfBytes } from './event-bytes.ts';
import type { PostedEvents } from './event-stream.ts';
import { StoragePort } from './port-storage.ts';
import type { Port } from './port.ts';
import { SharedRevisions } from './shared-revisions.ts';

/** The amount of recent history for watches from the past. */
const recentBytesMax = 16 * 1024 * 1024;

/** No resource: values are as the store has them. */
const nothing: GroupResource = { group: '', resource: '' };

interface Waiting {
  readonly revision: Revision;
  readonly resolve: () => void;
}

export class FollowerStorage implements LocalStorage {
  readonly #asked: Storage;
  readonly #hub = new WatchHub();
  readonly #revisions: SharedRevisions;
  readonly #recent: { readonly batch: EventBatch; readonly bytes: number }[] = [];
  #recentBytes = 0;
  #recentAfter: Revision;
  #current: Revision;
  #waiting: Waiting[] = [];
  #isClosed = false;

  private constructor(port: StoragePort, revisions: SharedRevisions, after: Revision) {
    this.#asked = port.storageFor(nothing);
    this.#revisions = revisions;
    this.#recentAfter = after;
    this.#current = after;
  }

  /** Resolves when it knows everything that the store knows. */
  static open(port: Port): Promise<FollowerStorage> {
    const storagePort = new StoragePort(port, setImmediate);
    return new Promise((resolve) => {
      let follower: FollowerStorage | undefined;
      storagePort.open(nothing, { kind: 'follow' }, (reply) => {
        if (reply.kind === 'following') {
          follower = new FollowerStorage(storagePort, new SharedRevisions(reply.revisions), reply.after);
        } else if (reply.kind === 'events') {
          follower!.#take(reply.events);
          resolve(follower!);
        }
      });
    });
  }

  get currentRevision(): Revision {
    return this.#current;
  }

  get compactedRevision(): Revision {
    return this.#revisions.compacted;
  }

  /** Whether somebody may have been told of a revision that is not known here yet. */
  get isBehind(): boolean {
    return this.#revisions.newest > this.#current;
  }

  /** Resolves when everything is known here that anybody may have been told of so far. */
  caughtUp(): Promise<void> {
    const revision = this.#revisions.newest;
    if (this.#current >= revision || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => void this.#waiting.push({ revision, resolve }));
  }

  revision(): Promise<Revision> {
    return this.#asked.revision();
  }

  get(key: string, options?: { readonly revision?: Revision }): Promise<Entry | undefined> {
    return this.#asked.get(key, options);
  }

  list(range: KeyRange, options?: ListOptions): Promise<Page> {
    return this.#asked.list(range, options);
  }

  update(
    key: string,
    change: (current: Entry | undefined) => Change | Promise<Change>,
    options?: UpdateOptions,
  ): Promise<Entry | undefined> {
    return this.#asked.update(key, change, options);
  }

  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<EventBatch, void, void> {
    return batchesOf((subscriber) => this.subscribe(range, after, subscriber), signal);
  }

  subscribe(range: KeyRange, after: Revision, subscriber: Subscriber): Subscription {
    const end = this.#isClosed ? closedError() : this.#forgotten(after);
    if (end !== undefined) {
      subscriber.onEnd(end);
      return { cancel: () => undefined };
    }
    for (const { batch } of this.#recent) {
      if (batch.revision <= after) continue;
      const events = batch.events.filter(
        ({ entry: { key, modRevision } }) => modRevision > after && key >= range.start && key < range.end,
      );
      if (events.length > 0) subscriber.onEvents({ revision: batch.revision, events });
    }
    return this.#hub.add(range, subscriber);
  }

  compact(revision: Revision): Promise<void> {
    return this.#asked.compact(revision);
  }

  /** The store itself stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#hub.end(closedError());
    await this.#asked.close();
  }

  #forgotten(after: Revision): StorageError | undefined {
    const known = Math.max(this.#recentAfter, this.compactedRevision);
    // The compacted revision itself is still known.
    if (after >= this.#recentAfter && after + 1 >= this.compactedRevision) return undefined;
    return new StorageError('compacted', `revision ${after} is no longer known`, { revision: known });
  }

  #take({ revision, bytes }: PostedEvents): void {
    const batch: EventBatch = { revision, events: eventsOfBytes(bytes) };
    this.#current = revision;
    this.#recent.push({ batch, bytes: bytes.length });
    this.#recentBytes += bytes.length;
    while (this.#recentBytes > recentBytesMax && this.#recent.length > 1) {
      const oldest = this.#recent.shift()!;
      this.#recentBytes -= oldest.bytes;
      this.#recentAfter = oldest.batch.revision;
    }
    this.#hub.publish(batch);
    if (this.#waiting.length === 0) return;
    const reached = this.#waiting.filter((waiting) => waiting.revision <= revision);
    this.#waiting = this.#waiting.filter((waiting) => waiting.revision > revision);
    for (const { resolve } of reached) resolve();
  }
}
