/** The store's revision, in memory that every thread of the process can read. */
import type { Revision } from '../storage.ts';

export class SharedRevisions {
  readonly memory: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  constructor(memory = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#cells = new BigInt64Array(memory);
  }

  /** The newest revision that anybody may have been told of. */
  get newest(): Revision {
    return Number(Atomics.load(this.#cells, 0));
  }

  set newest(revision: Revision) {
    Atomics.store(this.#cells, 0, BigInt(revision));
  }

  get compacted(): Revision {
    return Number(Atomics.load(this.#cells, 1));
  }

  set compacted(revision: Revision) {
    Atomics.store(this.#cells, 1, BigInt(revision));
  }
}
