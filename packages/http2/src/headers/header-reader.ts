import { flags, priorityBytes, type Frame } from '../frames/frame.ts';
import { checkPriority, unpadded } from '../frames/frame-rules.ts';
import { HpackDecoder } from '../hpack/decoder.ts';
import type { HeaderField } from '../hpack/header-field.ts';
import { requestHead, type RequestHead } from './request-head.ts';
import { UnfinishedHeaders } from './unfinished-headers.ts';

export interface HeaderBlock {
  readonly streamId: number;
  /** Undefined if the block exceeds the announced maximum. */
  readonly fields: readonly HeaderField[] | undefined;
  /** Whether the stream ends with it. */
  readonly isLast: boolean;
}

/** Turns HEADERS and CONTINUATION frames into the fields of a connection's requests. */
export class HeaderReader {
  readonly #decoder: HpackDecoder;
  readonly #listBytesMax: number;
  /** A header block that continues in the next frame. */
  #unfinished: UnfinishedHeaders | undefined;
  #lastHead: RequestHead | undefined;

  constructor(listBytesMax: number) {
    this.#decoder = new HpackDecoder(listBytesMax);
    this.#listBytesMax = listBytesMax;
  }

  /** Whether the next frame must continue the last header block. */
  get isUnfinished(): boolean {
    return this.#unfinished !== undefined;
  }

  /**
   * Returns undefined while the block is incomplete. Fields are always decoded, since later blocks refer to them.
   * @throws ConnectionFailure
   */
  take(padded: Frame): HeaderBlock | undefined {
    const frame = unpadded(padded);
    const isLast = (frame.flags & flags.endStream) !== 0;
    const hasPriority = (frame.flags & flags.priority) !== 0;
    const start = hasPriority ? frame.start + priorityBytes : frame.start;
    if (hasPriority) checkPriority(frame);
    if ((frame.flags & flags.endHeaders) === 0) {
      this.#unfinished = new UnfinishedHeaders(frame, start, isLast, this.#listBytesMax);
      return undefined;
    }
    const fields = this.#decoder.decode(frame.bytes, start, frame.end);
    return { streamId: frame.streamId, fields, isLast };
  }

  /** The same for a frame of any type that arrives while a block is incomplete. */
  goOn(frame: Frame): HeaderBlock | undefined {
    const headers = this.#unfinished!;
    headers.add(frame);
    if ((frame.flags & flags.endHeaders) === 0) return undefined;
    this.#unfinished = undefined;
    const fields = this.#decoder.decode(headers.block());
    return { streamId: frame.streamId, fields, isLast: headers.isLast };
  }

  /**
   * A client that repeats a block gets the same head object.
   * @throws StreamFailure
   */
  headOf(fields: readonly HeaderField[]): RequestHead {
    if (this.#lastHead?.fields === fields) return this.#lastHead;
    const head = requestHead(fields);
    this.#lastHead = this.#decoder.repeats(fields) ? head : undefined;
    return head;
  }
}
