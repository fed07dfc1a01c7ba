/** Keeps the authorizer's rules up to date with the stored roles and bindings. */
import type { KubeObject } from '@coxswain/apimachinery';
import { RuleResolver } from '@coxswain/apiserver/authorization/rbac/rule-resolver.ts';
import type { BindingObject, RoleObject } from '@coxswain/apiserver/authorization/rbac/objects.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import { StoreFollower, type StoreTarget } from '../follow-store.ts';

export interface PolicyStores {
  readonly roles: GenericStore;
  readonly clusterRoles: GenericStore;
  readonly roleBindings: GenericStore;
  readonly clusterRoleBindings: GenericStore;
}

export class PolicyFollower {
  readonly rules = new RuleResolver();
  readonly #follower: StoreFollower;
  readonly #followed: { readonly store: GenericStore; readonly target: StoreTarget }[] = [];

  constructor(options: { readonly storage: Storage }) {
    this.#follower = new StoreFollower(options.storage);
  }

  /** Resolves when all stored objects have been read. */
  async start({ roles, clusterRoles, roleBindings, clusterRoleBindings }: PolicyStores): Promise<void> {
    const { rules } = this;
    const role: StoreTarget = {
      put: (object: KubeObject) => rules.putRole(object as unknown as RoleObject),
      remove: (namespace, name) => rules.removeRole(namespace, name),
    };
    const binding: StoreTarget = {
      put: (object: KubeObject) => rules.putBinding(object as unknown as BindingObject),
      remove: (namespace, name) => rules.removeBinding(namespace, name),
    };
    this.#followed.push(
      { store: roles, target: role },
      { store: clusterRoles, target: role },
      { store: roleBindings, target: binding },
      { store: clusterRoleBindings, target: binding },
    );
    await Promise.all(this.#followed.map(({ store, target }) => this.#follower.follow(store, target)));
  }

  stop(): void {
    this.#follower.stop();
  }

  /** Resolves when everything stored so far is in the rules, without waiting for the watches. */
  async caughtUp(): Promise<void> {
    for (const { store, target } of this.#followed) {
      const { objects } = await store.cache.list();
      for (const { object } of objects) target.put(object);
    }
  }
}
