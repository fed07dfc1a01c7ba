/** How a stream ended: told by both sides, or cut off by us while the client may have been sending. */
export type StreamEnd = 'told' | 'cut';

/** The last streams that are over, so that frames which come late are told from those that must not come. */
export class ClosedStreams {
  /** Negative: cut. The oldest is overwritten. Made with the first. */
  #ids: Int32Array | undefined;
  #next = 0;

  add(id: number, end: StreamEnd): void {
    this.#ids ??= new Int32Array(rememberedStreams);
    this.#ids[this.#next] = end === 'cut' ? -id : id;
    this.#next = (this.#next + 1) % rememberedStreams;
  }

  /** Undefined for one that ended long ago, or was passed over. */
  endOf(id: number): StreamEnd | undefined {
    if (this.#ids?.includes(-id) === true) return 'cut';
    return this.#ids?.includes(id) === true ? 'told' : undefined;
  }
}

/** What a client can have under way when it hears of a stream's end is less. */
const rememberedStreams = 256;
