import type { Clock } from '@coxswain/apimachinery';
import type { Revision } from '../storage.ts';
import type { Tree } from '../tree/tree.ts';
import type { CachedObject } from './cached-object.ts';

/** As long as etcd keeps a revision for paging: the time between two compactions. */
const pinnedMsMax = 5 * 60 * 1000;
const pinnedRootsMax = 64;

type Root<T> = Tree<string, CachedObject<T>>;

/** Earlier states of the cache, kept so that all pages of a list come from one revision. */
export class PinnedRoots<T> {
  readonly #clock: Clock;
  #roots: Map<Revision, { readonly root: Root<T>; readonly pinnedAtMs: number }> | undefined;
  #newest: { readonly change: number; readonly root: Root<T> } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(revision: Revision): Root<T> | undefined {
    this.#dropOld();
    return this.#roots?.get(revision)?.root;
  }

  /** `change` counts the changes of `tree`: without one in between, two revisions share a root. */
  pin(revision: Revision, tree: Root<T>, change: number): void {
    if (this.#newest?.change !== change) this.#newest = { change, root: tree.clone() };
    this.#roots ??= new Map();
    this.#roots.delete(revision);
    this.#roots.set(revision, { root: this.#newest.root, pinnedAtMs: this.#clock.now() });
    this.#dropOld();
  }

  clear(): void {
    this.#roots?.clear();
    this.#newest = undefined;
  }

  #dropOld(): void {
    if (this.#roots === undefined) return;
    for (const [revision, { pinnedAtMs }] of this.#roots) {
      if (this.#roots.size <= pinnedRootsMax && this.#clock.now() - pinnedAtMs <= pinnedMsMax) break;
      this.#roots.delete(revision);
    }
    if (this.#roots.size === 0) this.#newest = undefined;
  }
}
