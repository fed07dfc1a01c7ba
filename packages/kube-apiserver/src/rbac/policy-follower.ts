/** Keeps the authorizer's rule book in step with the roles and bindings in the store. */
import type { KubeObject } from '@coxswain/apimachinery';
import { RuleBook } from '@coxswain/apiserver/authorization/rbac/rule-book.ts';
import type { BindingObject, RoleObject } from '@coxswain/apiserver/authorization/rbac/objects.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';

export interface PolicyStores {
  readonly roles: GenericStore;
  readonly clusterRoles: GenericStore;
  readonly roleBindings: GenericStore;
  readonly clusterRoleBindings: GenericStore;
}

export class PolicyFollower {
  readonly book = new RuleBook();
  readonly #stops: (() => void)[] = [];
  readonly #followed: { readonly store: GenericStore; readonly target: Target }[] = [];
  #isStopped = false;

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
    this.#followed.push({ store, target });
    await this.#read(store, target);
  }

  async #read(store: GenericStore, target: Target): Promise<void> {
    const watcher = await store.cache.watch({ initialEvents: 'marked', bookmarks: true });
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
      if (!this.#isStopped && watcher.ended !== 'closed') await this.#read(store, target);
    };
    read().catch((error: unknown) => filled.reject(error));
    await filled.promise;
  }
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
