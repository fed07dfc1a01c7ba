import { ConnectionFailure, errorCodes, streamIdMost } from './frames/frame.ts';
import type { ServerStream } from './server-stream.ts';

/** How a stream ended: by both sides, or reset by us while the client may still have been sending. */
export type StreamEnd = 'closed' | 'cut';

/** The streams of one connection: the open ones, and what must be remembered about others. */
export class StreamTable {
  readonly #open = new Map<number, ServerStream>();
  readonly #ended = new EndedStreams();
  #lastId = 0;
  #lastIdTaken = streamIdMost;

  get size(): number {
    return this.#open.size;
  }

  /** The newest stream that has begun. */
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

  /** The stream is closed, or was never served. */
  end(id: number, end: StreamEnd): void {
    this.#open.delete(id);
    this.#ended.add(id, end);
  }

  /** Returns all streams that were open; none are afterwards. */
  takeAll(): readonly ServerStream[] {
    const streams = [...this.#open.values()];
    this.#open.clear();
    return streams;
  }

  /**
   * Headers arrived for it: the client has begun this stream, and skipped all unused lower ids.
   * @returns false if it is no longer served
   * @throws ConnectionFailure
   */
  begin(id: number): boolean {
    if (id % 2 === 0) throw new ConnectionFailure(errorCodes.protocol, 'streams of clients are odd');
    this.#lastId = id;
    return id <= this.#lastIdTaken;
  }

  /** Streams that begin from here on are left to another connection. */
  takeNoMore(): void {
    this.#lastIdTaken = this.#lastId;
  }

  /** @throws ConnectionFailure if the stream has not begun */
  checkBegun(id: number): void {
    if (id > this.#lastId || id % 2 === 0)
      throw new ConnectionFailure(errorCodes.protocol, `stream ${id} has not begun`);
  }

  /** Undefined for a stream that ended long ago or was skipped. A stream that is not served counts as reset. */
  endOf(id: number): StreamEnd | undefined {
    return id > this.#lastIdTaken ? 'cut' : this.#ended.endOf(id);
  }
}

/** The most recently closed streams, to tell late frames from frames that are not allowed. */
class EndedStreams {
  /** Negative ids were reset. The oldest entry is overwritten. Created with the first entry. */
  #ids: Int32Array | undefined;
  #next = 0;

  add(id: number, end: StreamEnd): void {
    this.#ids ??= new Int32Array(rememberedMax);
    this.#ids[this.#next] = end === 'cut' ? -id : id;
    this.#next = (this.#next + 1) % rememberedMax;
  }

  endOf(id: number): StreamEnd | undefined {
    if (this.#ids?.includes(-id) === true) return 'cut';
    return this.#ids?.includes(id) === true ? 'closed' : undefined;
  }
}

/** A client cannot have more in flight when it learns that a stream has ended. */
const rememberedMax = 256;
