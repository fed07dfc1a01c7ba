import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  StorageError,
  canReportProgress,
  isLocal,
  type Change,
  type Entry,
  type Event,
  type EventBatch,
  type LocalStorage,
  type RemoteStorage,
  type Storage,
  type Subscriber,
  type Subscription,
  type UpdateOptions,
} from '../storage.ts';
import type { Opened, Transformer } from './transformer.ts';

export interface EncryptionOptions {
  /** Called for each value, so that keys may change while the store is open. */
  readonly transformer: () => Transformer;
  /** The storage key to which values are bound: as it is in the underlying store. */
  readonly storedKey?: (key: string) => string;
}

/**
 * The same store with encrypted values. An unchanged write over a stale value (encrypted with an older key, or not at
 * all) rewrites it.
 */
export function encrypted(storage: Storage, options: EncryptionOptions): Storage {
  const values = new Values(options);
  const face: Storage = {
    revision: () => storage.revision(),
    compact: (revision) => storage.compact(revision),
    close: () => storage.close(),
    async get(key, readOptions) {
      const entry = await storage.get(key, readOptions);
      return entry && values.open(entry);
    },
    async list(range, listOptions) {
      const page = await storage.list(range, listOptions);
      return { ...page, entries: await Promise.all(page.entries.map((entry) => values.openListed(entry))) };
    },
    update: (key, change, updateOptions) => update(storage, values, key, change, updateOptions),
    async *watch(range, after, signal) {
      for await (const batch of storage.watch(range, after, signal)) yield await openedBatch(values, batch);
    },
  };
  if (isLocal(storage)) return localFace(face, storage, values);
  if (!canReportProgress(storage)) return face;
  const remote: RemoteStorage = {
    ...face,
    get compactedRevision() {
      return storage.compactedRevision;
    },
    reportsProgress: () => storage.reportsProgress(),
    requestProgress: (range) => storage.requestProgress(range),
  };
  return remote;
}

const localFace = (face: Storage, storage: LocalStorage, values: Values): LocalStorage => ({
  ...face,
  get currentRevision() {
    return storage.currentRevision;
  },
  get compactedRevision() {
    return storage.compactedRevision;
  },
  subscribe(range, after, subscriber) {
    const decrypting = new DecryptingSubscriber(values, subscriber);
    const subscription = storage.subscribe(range, after, decrypting);
    return decrypting.cancelledWith(subscription);
  },
});

/** Decrypts and encrypts entries. */
class Values {
  readonly #options: EncryptionOptions;
  readonly #encoder = new TextEncoder();

  constructor(options: EncryptionOptions) {
    this.#options = options;
  }

  /** For one of several entries: an error names it. */
  async openListed(entry: Entry): Promise<Entry> {
    try {
      return await this.open(entry);
    } catch (failure) {
      const key = JSON.stringify(this.#storedKey(entry.key));
      const reason = messageOf(failure);
      throw new StorageError('encryption', `unable to transform key ${key}: ${reason}`, { cause: failure });
    }
  }

  open(entry: Entry): Entry | Promise<Entry> {
    const opened = this.opened(entry);
    if (opened instanceof Promise) return opened.then(({ data }) => ({ ...entry, value: data }));
    return { ...entry, value: opened.data };
  }

  async openIfReadable(entry: Entry): Promise<Entry> {
    try {
      return await this.open(entry);
    } catch {
      return { ...entry, isDamaged: true };
    }
  }

  opened({ key, value }: Entry): Opened | Promise<Opened> {
    const refuse = (failure: unknown): never => {
      throw new StorageError('encryption', messageOf(failure), { cause: failure });
    };
    try {
      const opened = this.#options.transformer().fromStorage(value, this.#context(key));
      return opened instanceof Promise ? opened.catch(refuse) : opened;
    } catch (failure) {
      return refuse(failure);
    }
  }

  seal(key: string, value: Uint8Array): Uint8Array {
    try {
      return this.#options.transformer().toStorage(value, this.#context(key));
    } catch (failure) {
      throw new StorageError('encryption', messageOf(failure), { cause: failure });
    }
  }

  #context(key: string): Uint8Array {
    return this.#encoder.encode(this.#storedKey(key));
  }

  #storedKey(key: string): string {
    return this.#options.storedKey?.(key) ?? key;
  }
}

async function update(
  storage: Storage,
  values: Values,
  key: string,
  change: (current: Entry | undefined) => Change | Promise<Change>,
  options: UpdateOptions = {},
): Promise<Entry | undefined> {
  const { expected, toleratesUnreadable = false } = options;
  let plain: Entry | undefined;
  let value: Uint8Array | undefined;
  const decide = async (current: Entry | undefined): Promise<Change> => {
    // A value that the caller has already seen isn't decrypted again; a remote store passes on just that one.
    if (current === undefined) plain = undefined;
    else if (current.modRevision === expected?.modRevision) plain = { ...current, value: expected.value };
    else plain = await (toleratesUnreadable ? values.openIfReadable(current) : values.open(current));
    const wanted = await change(plain);
    value = wanted.kind === 'put' ? wanted.value : plain?.value;
    if (wanted.kind === 'put') {
      const sealed = values.seal(key, wanted.value);
      options.observer?.note?.({ storedAs: prefixOf(sealed), storedBytes: sealed.length });
      return { ...wanted, value: sealed };
    }
    if (wanted.kind === 'keep' && plain !== undefined) return rewriteIfStale(storage, values, plain);
    return wanted;
  };
  const written = await storage.update(key, decide, options);
  return written && { ...written, value: value! };
}

/** What names the provider and the key, `k8s:enc:aescbc:v1:key1:`; `plain` if nothing does. */
function prefixOf(sealed: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(sealed.subarray(0, prefixBytesMax));
  return /^k8s:enc:\w+:v\d+:[^:]*:/.exec(start)?.[0] ?? 'plain';
}

const prefixBytesMax = 256;

/** A value with a lease will expire soon enough. */
async function rewriteIfStale(storage: Storage, values: Values, plain: Entry): Promise<Change> {
  if (plain.leaseId !== undefined) return { kind: 'keep' };
  const stored = await storage.get(plain.key);
  if (stored?.modRevision !== plain.modRevision) return { kind: 'keep' };
  const { data, isStale } = await values.opened(stored);
  if (!isStale) return { kind: 'keep' };
  return { kind: 'put', value: values.seal(plain.key, data), decoded: plain.decoded };
}

const openedBatch = async (values: Values, { revision, events }: EventBatch): Promise<EventBatch> => ({
  revision,
  events: await Promise.all(
    events.map(async ({ type, entry, previous }) => ({
      type,
      entry: await values.open(entry),
      ...(previous && { previous: await values.open(previous) }),
    })),
  ),
});

/**
 * Passes events on in the turn in which they happen. That requires known keys; if a key must be fetched first, the
 * subscription ends while it is fetched, and the next list finds it.
 */
class DecryptingSubscriber implements Subscriber {
  readonly #values: Values;
  readonly #subscriber: Subscriber;
  #subscription: Subscription | undefined;
  #isOver = false;

  constructor(values: Values, subscriber: Subscriber) {
    this.#values = values;
    this.#subscriber = subscriber;
  }

  cancelledWith(subscription: Subscription): Subscription {
    this.#subscription = subscription;
    if (this.#isOver) subscription.cancel();
    return {
      cancel: () => {
        this.#isOver = true;
        subscription.cancel();
      },
    };
  }

  onEvents({ revision, events }: EventBatch): void {
    if (this.#isOver) return;
    try {
      this.#subscriber.onEvents({ revision, events: events.map((event) => this.#opened(event)) });
    } catch (failure) {
      if (!(failure instanceof StorageError)) throw failure;
      this.#isOver = true;
      this.#subscription?.cancel();
      this.#subscriber.onEnd(failure);
    }
  }

  onEnd(reason: Error): void {
    if (!this.#isOver) this.#subscriber.onEnd(reason);
  }

  #opened({ type, entry, previous }: Event): Event {
    return {
      type,
      entry: this.#openNow(entry),
      ...(previous && { previous: this.#openNow(previous) }),
    };
  }

  /** @throws StorageError */
  #openNow(entry: Entry): Entry {
    const opened = this.#values.open(entry);
    if (!(opened instanceof Promise)) return opened;
    opened.catch(() => undefined);
    throw new StorageError('compacted', `the key of ${entry.key} has to be asked for first`);
  }
}
