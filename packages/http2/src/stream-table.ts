import { ConnectionFailure, errorCodes, streamIdMost } from './frames/frame.ts';
import type { ServerStream } from './server-stream.ts';

/** How a stream ended: told by both sides, or cut off by us while the client may have been sending. */
export type StreamEnd = 'told' | 'cut';

/** The streams of one connection: those that are open, and what has to be known of the others. */
export class StreamTable {
  readonly #open = new Map<number, ServerStream>();
  readonly #ended = new EndedStreams();
  #lastId = 0;
  #lastIdTaken = streamIdMost;

  get size(): number {
    return this.#open.size;
  }

  /** The newest that has begun. */
  get lastId(): number {
    return this.#lastId;
  }

  find(id: number): ServerStream | undefined {
    return this.#open.get(id);
  }

  open(): IterableIterator<ServerStream> {
    return this.#open.values();
  }

  add(stream: ServerStream): void {
    this.#open.set(stream.id, stream);
  }

  /** It is over, or was never served. */
  end(id: number, end: StreamEnd): void {
    this.#open.delete(id);
    this.#ended.add(id, end);
  }

  /** All that were open; none are any more. */
  takeAll(): readonly ServerStream[] {
    const streams = [...this.#open.values()];
    this.#open.clear();
    return streams;
  }

  /**
   * Headers came for it: the client has begun it, and with it passed over all before it that it had not begun.
   * @returns false when it is not served any more
   * @throws ConnectionFailure
   */
  begin(id: number): boolean {
    if (id % 2 === 0) throw new ConnectionFailure(errorCodes.protocol, 'streams of clients are odd');
    this.#lastId = id;
    return id <= this.#lastIdTaken;
  }

  /** What begins from here on is left to another connection. */
  takeNoMore(): void {
    this.#lastIdTaken = this.#lastId;
  }

  /** @throws ConnectionFailure for one that has not begun */
  checkBegun(id: number): void {
    if (id > this.#lastId || id % 2 === 0)
      throw new ConnectionFailure(errorCodes.protocol, `stream ${id} has not begun`);
  }

  /** Undefined for one that ended long ago, or was passed over. One that is not served counts as cut off. */
  endOf(id: number): StreamEnd | undefined {
    return id > this.#lastIdTaken ? 'cut' : this.#ended.endOf(id);
  }
}

/** The last streams that are over, so that frames which come late are told from those that must not come. */
class EndedStreams {
  /** Negative: cut. The oldest is overwritten. Made with the first. */
  #ids: Int32Array | undefined;
  #next = 0;

  add(id: number, end: StreamEnd): void {
    this.#ids ??= new Int32Array(rememberedMax);
    this.#ids[this.#next] = end === 'cut' ? -id : id;
    this.#next = (this.#next + 1) % rememberedMax;
  }

  endOf(id: number): StreamEnd | undefined {
    if (this.#ids?.includes(-id) === true) return 'cut';
    return this.#ids?.includes(id) === true ? 'told' : undefined;
  }
}

/** What a client can have under way when it hears of a stream's end is less. */
const rememberedMax = 256;
