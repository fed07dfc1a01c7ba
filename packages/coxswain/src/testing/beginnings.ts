/** The initial contents of clusters with the same options: created once per process, and shared by all that follow. */

import type { ClusterSnapshot } from '../storage/cluster-storage.ts';

export interface Beginning {
  readonly snapshot: ClusterSnapshot;
  /** When its creation ended, in the cluster's time. */
  readonly nowMs: number;
  /** Whether the snapshot has decoded objects in addition to their bytes. */
  readonly isDecoded: boolean;
}

/** Further kinds are created again each time; each takes a few megabytes. */
const keptMax = 8;

export class Beginnings {
  readonly #known = new Map<string, Promise<Beginning>>();

  get(kind: string, make: () => Promise<Beginning>): Promise<Beginning> {
    const known = this.#known.get(kind);
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(kind, made);
    // A failed creation may succeed later.
    made.catch(() => this.#known.delete(kind));
    if (this.#known.size > keptMax) this.#known.delete(this.#known.keys().next().value!);
    return made;
  }

  /** Replaces a beginning with a better form of the same contents. */
  improve(kind: string, beginning: Beginning): void {
    if (this.#known.has(kind)) this.#known.set(kind, Promise.resolve(beginning));
  }
}
