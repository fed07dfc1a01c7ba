/** Reports every object of a store: the existing ones, then each change in order. */
import { becauseOf, type Cause, type KubeObject, type StepObserver } from '@coxswain/apimachinery';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { Watcher } from '@coxswain/storage/cacher/watcher.ts';
import { isLocal, prefixRange, type Storage } from '@coxswain/storage/storage.ts';

export interface StoreTarget {
  put(object: KubeObject): void;
  remove(namespace: string, name: string): void;
}

export class StoreFollower {
  readonly #storage: Storage;
  readonly #observer: StepObserver | undefined;
  /** The current subscriptions; reading a store again ends its previous one. */
  readonly #stops = new Map<GenericStore, () => void>();
  #isStopped = false;

  /** @param observer notified of each write that the target receives */
  constructor(storage: Storage, observer?: StepObserver) {
    this.#storage = storage;
    this.#observer = observer;
  }

  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops.values()) stop();
  }

  /** Resolves when the target has received all stored objects. */
  async follow(store: GenericStore, target: StoreTarget): Promise<void> {
    await this.#follow(store, new KnownTarget(target));
  }

  async #follow(store: GenericStore, target: KnownTarget): Promise<void> {
    target.beginAnew();
    const watcher = await store.cache.watch({ initialEvents: 'marked', bookmarks: true });
    const storage = this.#storage;
    if (!isLocal(storage)) return this.#read(store, watcher, target);
    // An in-process store reports a write before its writer gets a response, so nobody is denied what was granted a
    // moment ago.
    for (let ready = watcher.take(); ready.length > 0; ready = watcher.take()) {
      for (const event of ready) if (event.type !== 'BOOKMARK') target.put(event.object.object);
    }
    watcher.stop();
    target.removeUnreported();
    const subscription = storage.subscribe(prefixRange(`${store.storagePrefix}/`), storage.currentRevision, {
      onEvents: ({ events }) => {
        for (const { type, entry } of events) {
          const write = (): Cause => ({ by: 'revision', revision: entry.modRevision, key: entry.key });
          becauseOf(this.#observer, write, () => takeEntry(store, target, type, entry.key));
        }
      },
      onEnd: () => {
        if (!this.#isStopped) void this.#follow(store, target).catch(() => undefined);
      },
    });
    this.#stops.set(store, () => subscription.cancel());
  }

  async #read(store: GenericStore, watcher: Watcher<KubeObject>, target: KnownTarget): Promise<void> {
    this.#stops.set(store, () => watcher.stop());
    const filled = Promise.withResolvers<void>();
    const read = async () => {
      for await (const events of watcher) {
        for (const event of events) {
          if (event.type === 'BOOKMARK') {
            target.removeUnreported();
            filled.resolve();
          } else
            becauseOf(
              this.#observer,
              () => writeOf(event.object.object),
              () => apply(target, event.type, event.object.object),
            );
        }
      }
      // The cache lost its history, so everything is read again.
      if (!this.#isStopped && watcher.ended !== 'closed') await this.#follow(store, target);
    };
    read().catch((error: unknown) => filled.reject(error));
    await filled.promise;
  }
}

/** Remembers which objects the target has received, so that those missing from a new list can be removed. */
class KnownTarget implements StoreTarget {
  readonly #target: StoreTarget;
  readonly #known = new Map<string, readonly [namespace: string, name: string]>();
  #unreported = new Set<string>();

  constructor(target: StoreTarget) {
    this.#target = target;
  }

  beginAnew(): void {
    this.#unreported = new Set(this.#known.keys());
  }

  removeUnreported(): void {
    for (const key of this.#unreported) this.remove(...this.#known.get(key)!);
    this.#unreported.clear();
  }

  put(object: KubeObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const key = `${namespace}/${name}`;
    this.#known.set(key, [namespace, name]);
    this.#unreported.delete(key);
    this.#target.put(object);
  }

  remove(namespace: string, name: string): void {
    this.#known.delete(`${namespace}/${name}`);
    this.#unreported.delete(`${namespace}/${name}`);
    this.#target.remove(namespace, name);
  }
}

function takeEntry(store: GenericStore, target: StoreTarget, type: 'put' | 'delete', key: string): void {
  const [name = '', namespace = ''] = key
    .slice(store.storagePrefix.length + 1)
    .split('/')
    .reverse();
  const found = type === 'put' ? store.cache.get(key) : undefined;
  if (found instanceof Promise) return;
  if (found === undefined) target.remove(namespace, name);
  else target.put(found.object);
}

const writeOf = ({ metadata }: KubeObject): Cause => ({
  by: 'revision',
  revision: Number(metadata.resourceVersion),
  key: `${metadata.namespace ?? ''}/${metadata.name}`,
});

function apply(target: StoreTarget, type: string, object: KubeObject): void {
  const { namespace = '', name = '' } = object.metadata;
  if (type === 'DELETED') target.remove(namespace, name);
  else target.put(object);
}
