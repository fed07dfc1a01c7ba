/**
 * Tracks a controller's own writes for each object until its caches show them. A status computed from an older cache
 * would revert what was just written.
 */

import type { KubeObject } from '@coxswain/apimachinery';

/** The part of an informer that is used here. */
export interface VersionedCache {
  readonly resourceVersion: string;
  reached(resourceVersion: number): Promise<void>;
}

export class OwnWrites {
  readonly #written = new Map<string, Map<VersionedCache, number>>();

  /** Records that `object` was written for the object with this key; `cache` will show it. */
  wrote(key: string, cache: VersionedCache, { metadata }: KubeObject): void {
    const version = Number(metadata.resourceVersion);
    if (Number.isNaN(version)) return;
    let versions = this.#written.get(key);
    if (versions === undefined) this.#written.set(key, (versions = new Map()));
    versions.set(cache, Math.max(version, versions.get(cache) ?? 0));
  }

  /** Resolves when the caches show all writes; undefined if they already do. */
  unseen(key: string): Promise<unknown> | undefined {
    const late = [...(this.#written.get(key) ?? [])].filter(
      ([cache, version]) => Number(cache.resourceVersion) < version,
    );
    if (late.length > 0) return Promise.all(late.map(([cache, version]) => cache.reached(version)));
    this.#written.delete(key);
    return undefined;
  }

  forget(key: string): void {
    this.#written.delete(key);
  }
}
