/** What clusters of one kind hold when they are new: made once in a process, and shared by all that follow. */

import type { ClusterSnapshot } from '../storage/cluster-storage.ts';

export interface Beginning {
  readonly snapshot: ClusterSnapshot;
  /** Until when it took, in the cluster's time. */
  readonly nowMs: number;
  /** Whether the snapshot has the objects beside their bytes. */
  readonly isDecoded: boolean;
}

/** More kinds in one process are made anew each time that they are met again; each is a few megabytes. */
const keptMax = 8;

export class Beginnings {
  readonly #known = new Map<string, Promise<Beginning>>();

  get(kind: string, make: () => Promise<Beginning>): Promise<Beginning> {
    const known = this.#known.get(kind);
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(kind, made);
    // What cannot be made once may be made later.
    made.catch(() => this.#known.delete(kind));
    if (this.#known.size > keptMax) this.#known.delete(this.#known.keys().next().value!);
    return made;
  }

  /** The same, in a better form. */
  improve(kind: string, beginning: Beginning): void {
    if (this.#known.has(kind)) this.#known.set(kind, Promise.resolve(beginning));
  }
}
