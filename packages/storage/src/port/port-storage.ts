/** The five verbs over the store of another thread. */
import type { GroupResource } from '@coxswain/apimachinery';
import { updateOptimistically, type Attempt, type Write } from '../optimistic-update.ts';
import {
  closedError,
  type Change,
  type Entry,
  type EventBatch,
  type KeyRange,
  type ListOptions,
  type Page,
  type RemoteStorage,
  type Revision,
  type Storage,
  type UpdateOptions,
} from '../storage.ts';
import { Outbox } from './outbox.ts';
import { ownBytes, type Port } from './port.ts';
import {
  failureFromPost,
  type StorageCall,
  type StorageQuestion,
  type StorageReply,
} from './storage-messages.ts';

type Reply<K extends StorageReply['kind']> = Extract<StorageReply, { readonly kind: K }>;

/** Pending calls by number: until they are answered, or, for watches, until they end. */
export class StoragePort {
  readonly #outbox: Outbox<StorageQuestion>;
  readonly #waiting = new Map<number, (reply: StorageReply) => void>();
  #questions = 0;

  /** @param later see {@link Outbox} */
  constructor(port: Port, later?: (post: () => void) => void) {
    this.#outbox = new Outbox(port, later);
    port.on('message', (replies: readonly StorageReply[]) => {
      for (const reply of replies) this.#waiting.get(reply.id)?.(reply);
    });
  }

  storageFor(resource: GroupResource): Storage {
    return new PortStorage(this, resource);
  }

  /** @throws StorageError as the store in the other thread does */
  ask<K extends StorageReply['kind']>(
    resource: GroupResource,
    call: StorageCall,
    _kind: K,
  ): Promise<Reply<K>> {
    return new Promise((resolve, reject) => {
      const id = this.open(resource, call, (reply) => {
        this.#waiting.delete(id);
        if (reply.kind === 'failed') reject(failureFromPost(reply.failure));
        else resolve(reply as Reply<K>);
      });
    });
  }

  /** @param listener receives every reply until {@link close} */
  open(resource: GroupResource, call: StorageCall, listener: (reply: StorageReply) => void): number {
    const id = ++this.#questions;
    this.#waiting.set(id, listener);
    this.#outbox.push({ id, resource, call }, call.kind === 'write' && call.value ? [call.value] : []);
    return id;
  }

  close(resource: GroupResource, id: number): void {
    this.#waiting.delete(id);
    this.report(resource, id, { kind: 'unwatch' });
  }

  /** Sends a call without a reply. */
  report(resource: GroupResource, id: number, call: StorageCall): void {
    this.#outbox.push({ id, resource, call });
  }
}

class PortStorage implements RemoteStorage {
  /** Lists are answered by the thread that has the store. */
  readonly compactedRevision = 0;
  readonly #port: StoragePort;
  readonly #resource: GroupResource;
  readonly #closing = new AbortController();

  constructor(port: StoragePort, resource: GroupResource) {
    this.#port = port;
    this.#resource = resource;
  }

  async revision(): Promise<Revision> {
    return (await this.#ask({ kind: 'revision' }, 'revision')).revision;
  }

  async get(key: string, { revision }: { readonly revision?: Revision } = {}): Promise<Entry | undefined> {
    return (await this.#ask({ kind: 'get', key, revision }, 'entry')).entry;
  }

  async list(range: KeyRange, options: ListOptions = {}): Promise<Page> {
    return (await this.#ask({ kind: 'list', range, options }, 'page')).page;
  }

  update(
    key: string,
    change: (current: Entry | undefined) => Change | Promise<Change>,
    options: UpdateOptions = {},
  ): Promise<Entry | undefined> {
    const remote = {
      checkOpen: () => this.#checkOpen(),
      get: () => this.get(key),
      attempt: (current: Entry | undefined, wanted: Write) => this.#attempt(key, current, wanted),
    };
    return updateOptimistically(remote, change, options);
  }

  async *watch(
    range: KeyRange,
    after: Revision,
    signal: AbortSignal,
  ): AsyncGenerator<EventBatch, void, void> {
    if (signal.aborted) return;
    this.#checkOpen();
    const replies: StorageReply[] = [];
    let wake = (): void => undefined;
    const id = this.#port.open(this.#resource, { kind: 'watch', range, after }, (reply) => {
      replies.push(reply);
      wake();
    });
    const stopped = AbortSignal.any([signal, this.#closing.signal]);
    stopped.addEventListener('abort', () => wake(), { once: true });
    try {
      while (!signal.aborted) {
        this.#checkOpen();
        const reply = replies.shift();
        if (reply === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else if (reply.kind === 'batch') yield reply.batch;
        else if (reply.kind === 'failed') throw failureFromPost(reply.failure);
        else return;
      }
    } finally {
      this.#port.close(this.#resource, id);
    }
  }

  /** It could, but the newest state is read from the store nevertheless, so that no cache is filled for one object. */
  reportsProgress(): Promise<boolean> {
    return Promise.resolve(false);
  }

  requestProgress(range: KeyRange): void {
    this.#port.report(this.#resource, 0, { kind: 'progress', range });
  }

  async compact(revision: Revision): Promise<void> {
    await this.#ask({ kind: 'compact', revision }, 'over');
  }

  /** The store itself stays open. */
  async close(): Promise<void> {
    this.#closing.abort();
  }

  async #attempt(key: string, current: Entry | undefined, wanted: Write): Promise<Attempt> {
    const put = wanted.kind === 'put' ? wanted : undefined;
    const reply = await this.#ask(
      {
        kind: 'write',
        key,
        expected: current?.modRevision ?? 0,
        value: put && ownBytes(put.value),
        ttlSeconds: put?.ttlSeconds,
      },
      'written' as 'written' | 'outdated',
    );
    if (reply.kind === 'outdated') return { succeeded: false, entry: reply.entry };
    const { value, decoded } = put ?? current!;
    const entry = reply.entry && { ...reply.entry, key, value };
    return { succeeded: true, entry: entry && decoded !== undefined ? { ...entry, decoded } : entry };
  }

  #ask<K extends StorageReply['kind']>(call: StorageCall, kind: K): Promise<Reply<K>> {
    this.#checkOpen();
    return this.#port.ask(this.#resource, call, kind);
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw closedError();
  }
}
