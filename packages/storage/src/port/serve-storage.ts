/** The thread that has the store answers another one. */
import type { GroupResource } from '@coxswain/apimachinery';
import type { Change, Entry, Storage } from '../storage.ts';
import type { Port } from './port.ts';
import { PostedWatches } from './posted-watches.ts';
import {
  buffersOf,
  entryToPost,
  failureToPost,
  type StorageCall,
  type StorageQuestion,
  type StorageReply,
} from './storage-messages.ts';

type Call<K extends StorageCall['kind']> = Extract<StorageCall, { readonly kind: K }>;

/** @returns ends what is open, once the other thread is gone */
export function serveStorage(port: Port, storageFor: (resource: GroupResource) => Storage): () => void {
  const watches = new PostedWatches();
  const post = (reply: StorageReply, entries: readonly (Entry | undefined)[] = []): void =>
    port.postMessage(reply, buffersOf(entries));

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
        const entry = stored && entryToPost(stored);
        return post({ id, kind: 'written', succeeded, entry }, [entry]);
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
      case 'progress':
        return watches.tellProgress(call.range);
      case 'unwatch':
        watches.stop(id);
    }
  };

  port.on('message', ({ id, resource, call }: StorageQuestion) => {
    answer(id, storageFor(resource), call).catch((failure: unknown) =>
      post({ id, kind: 'failed', failure: failureToPost(failure) }),
    );
  });
  return () => watches.stopAll();
}

interface Written {
  readonly succeeded: boolean;
  /** What stands there now. */
  readonly stored: Entry | undefined;
}

/** Somebody wrote in between: this ends the write, and is no failure. */
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
