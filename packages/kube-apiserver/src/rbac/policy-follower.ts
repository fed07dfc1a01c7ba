/** Keeps the authorizer's rule book in step with the roles and bindings in the store. */
import type { KubeObject } from '@coxswain/apimachinery';
import { RuleBook } from '@coxswain/apiserver/authorization/rbac/rule-book.ts';
import type { BindingObject, RoleObject } from '@coxswain/apiserver/authorization/rbac/objects.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { Watcher } from '@coxswain/storage/cacher/watcher.ts';
import { isLocal, prefixRange } from '@coxswain/storage/storage.ts';
import type { Storage } from '@coxswain/storage/storage.ts';

export interface PolicyStores {
  readonly roles: GenericStore;
  readonly clusterRoles: GenericStore;
  readonly roleBindings: GenericStore;
  readonly clusterRoleBindings: GenericStore;
}

export class PolicyFollower {
  readonly book = new RuleBook();
  readonly #options: { readonly storage: Storage };
  readonly #stops: (() => void)[] = [];
  readonly #followed: { readonly store: GenericStore; readonly target: Target }[] = [];
  #isStopped = false;

  constructor(options: { readonly storage: Storage }) {
    this.#options = options;
  }

  /** Resolves when all that is stored has been read. */
  async start({ roles, clusterRoles, roleBindings, clusterRoleBindings }: PolicyStores): Promise<void> {
    const { book } = this;
    const role = {
      put: (object: KubeObject) => book.putRole(object as unknown as RoleObject),
      remove: (namespace: string, name: string) => book.removeRole(namespace, name),
    };
    const binding = {
      put: (object: KubeObject) => book.putBinding(object as unknown as BindingObject),
      remove: (namespace: string, name: string) => book.removeBinding(namespace, name),
    };
    await Promise.all([
      this.#follow(roles, role),
      this.#follow(clusterRoles, role),
      this.#follow(roleBindings, binding),
      this.#follow(clusterRoleBindings, binding),
    ]);
  }

  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
  }

  /** Resolves when everything that is stored by now is in the book, without waiting for the watches. */
  async caughtUp(): Promise<void> {
    for (const { store, target } of this.#followed) {
      const { objects } = await store.cache.list();
      for (const { object } of objects) target.put(object);
    }
  }

  async #follow(store: GenericStore, target: Target): Promise<void> {
    const watcher = await store.cache.watch({ initialEvents: 'marked', bookmarks: true });
    const { storage } = this.#options;
    if (!isLocal(storage)) return this.#read(store, watcher, target);
    // A store in this process tells of a write before its writer hears of it: nobody is refused what he was
    // given a moment ago.
    for (const event of watcher.take()) if (event.type !== 'BOOKMARK') target.put(event.object.object);
    watcher.stop();
    const subscription = storage.subscribe(prefixRange(`${store.storagePrefix}/`), storage.currentRevision, {
      onEvents: ({ events }) => {
        for (const { type, entry } of events) takeEntry(store, target, type, entry.key);
      },
      onEnd: () => {
        if (!this.#isStopped) void this.#follow(store, target).catch(() => undefined);
      },
    });
    this.#stops.push(() => subscription.cancel());
  }

  async #read(store: GenericStore, watcher: Watcher<KubeObject>, target: Target): Promise<void> {
    this.#stops.push(() => watcher.stop());
    const filled = Promise.withResolvers<void>();
    const read = async () => {
      for await (const events of watcher) {
        for (const event of events) {
          if (event.type === 'BOOKMARK') filled.resolve();
          else apply(target, event.type, event.object.object);
        }
      }
      // The cache lost the thread: everything is read again.
      if (!this.#isStopped && watcher.ended !== 'closed') await this.#follow(store, target);
    };
    read().catch((error: unknown) => filled.reject(error));
    await filled.promise;
  }
}

function takeEntry(store: GenericStore, target: Target, type: 'put' | 'delete', key: string): void {
  const [name = '', namespace = ''] = key
    .slice(store.storagePrefix.length + 1)
    .split('/')
    .reverse();
  const found = type === 'put' ? store.cache.get(key) : undefined;
  if (found instanceof Promise) return;
  if (found === undefined) target.remove(namespace, name);
  else target.put(found.object);
}

interface Target {
  put(object: KubeObject): void;
  remove(namespace: string, name: string): void;
}

function apply(target: Target, type: string, object: KubeObject): void {
  const { namespace = '', name = '' } = object.metadata;
  if (type === 'DELETED') target.remove(namespace, name);
  else target.put(object);
}
