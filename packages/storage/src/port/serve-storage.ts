/** Serves another thread from this thread's store. */
import type { GroupResource } from '@coxswain/apimachinery';
import type { Change, Entry, Storage } from '../storage.ts';
import type { EventStream, PostedEvents } from './event-stream.ts';
import { Outbox } from './outbox.ts';
import type { Port } from './port.ts';
import { PostedWatches } from './posted-watches.ts';
import {
  valuesOf,
  entryToPost,
  failureToPost,
  numbersToPost,
  type StorageCall,
  type StorageQuestion,
  type StorageReply,
} from './storage-messages.ts';

type Call<K extends StorageCall['kind']> = Extract<StorageCall, { readonly kind: K }>;

/**
 * @param stream of the whole store, for a thread that follows it
 * @returns a function that ends everything open, once the other thread has ended
 */
export function serveStorage(
  port: Port,
  storageFor: (resource: GroupResource) => Storage,
  stream?: EventStream,
): () => void {
  const watches = new PostedWatches();
  const outbox = new Outbox<StorageReply>(port, stream && process.nextTick);
  const post = (reply: StorageReply, entries: readonly (Entry | undefined)[] = []): void =>
    outbox.push(reply, valuesOf(entries));
  let stopFollowing = (): void => undefined;
  const follow = (id: number, from: EventStream): void => {
    const past: PostedEvents[] = [];
    let report = (events: PostedEvents): void => void past.push(events);
    const { after, stop } = from.follow((events) => report(events));
    stopFollowing = stop;
    report = (events) => post({ id, kind: 'events', events });
    post({ id, kind: 'following', revisions: from.revisions.memory, after });
    for (const events of past) report(events);
  };

  const answer = async (id: number, storage: Storage, call: StorageCall): Promise<void> => {
    switch (call.kind) {
      case 'revision':
        return post({ id, kind: 'revision', revision: await storage.revision() });
      case 'get': {
        const found = await storage.get(
          call.key,
          call.revision === undefined ? {} : { revision: call.revision },
        );
        const entry = found && entryToPost(found);
        return post({ id, kind: 'entry', entry }, [entry]);
      }
      case 'list': {
        const page = await storage.list(call.range, call.options);
        const entries = page.entries.map(entryToPost);
        return post({ id, kind: 'page', page: { ...page, entries } }, entries);
      }
      case 'write': {
        const { succeeded, stored } = await write(storage, call);
        if (succeeded) return post({ id, kind: 'written', entry: stored && numbersToPost(stored) });
        const entry = stored && entryToPost(stored);
        return post({ id, kind: 'outdated', entry }, [entry]);
      }
      case 'compact':
        await storage.compact(call.revision);
        return post({ id, kind: 'over' });
      case 'watch':
        return watches.open(id, storage, call.range, call.after, {
          onBatch: (batch) => post({ id, kind: 'batch', batch }),
          onEnd: (reason) =>
            post(
              reason === undefined
                ? { id, kind: 'over' }
                : { id, kind: 'failed', failure: failureToPost(reason) },
            ),
        });
      case 'follow':
        if (stream === undefined) throw new Error('the store cannot be followed');
        return follow(id, stream);
      case 'progress':
        return watches.reportProgress(call.range);
      case 'unwatch':
        watches.stop(id);
    }
  };

  port.on('message', (questions: readonly StorageQuestion[]) => {
    for (const { id, resource, call } of questions) {
      answer(id, storageFor(resource), call).catch((failure: unknown) =>
        post({ id, kind: 'failed', failure: failureToPost(failure) }),
      );
    }
  });
  return () => {
    stopFollowing();
    watches.stopAll();
  };
}

interface Written {
  readonly succeeded: boolean;
  /** The current entry. */
  readonly stored: Entry | undefined;
}

/** Another write came in between: this ends the attempt and is not a failure. */
class Outdated extends Error {
  readonly current: Entry | undefined;

  constructor(current: Entry | undefined) {
    super('the entry has changed');
    this.current = current;
  }
}

async function write(storage: Storage, call: Call<'write'>): Promise<Written> {
  const { key, expected } = call;
  const change = (current: Entry | undefined): Change => {
    if ((current?.modRevision ?? 0) !== expected) throw new Outdated(current);
    return changeOf(call);
  };
  try {
    return { succeeded: true, stored: await storage.update(key, change, { expectsNone: expected === 0 }) };
  } catch (failure) {
    if (failure instanceof Outdated) return { succeeded: false, stored: failure.current };
    throw failure;
  }
}

const changeOf = ({ value, ttlSeconds }: Call<'write'>): Change =>
  value === undefined
    ? { kind: 'delete' }
    : { kind: 'put', value, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
