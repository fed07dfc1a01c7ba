/**
 * Parses frames from chunks of any size. Data is passed on as it arrives, a large frame in several parts, so that no
 * frame must fit into memory. Control frames are assembled and limited in size.
 */
import { finFlag, frameTypes, type Frame, type SpdyHeaders } from './frame.ts';
import { HeaderInflater, headerBlockBytesMax } from './header-compression.ts';
import { SpdyError } from './spdy-error.ts';

/** Without the header of eight bytes. Deflate hardly ever makes data larger. */
export const controlFrameBytesMax = headerBlockBytesMax + 1024;

/** The limit of upstream. */
const headersMax = 1000;

const headBytes = 8;
const version = 3;

export class FrameReader {
  readonly #inflater = new HeaderInflater();
  #kept: Buffer = Buffer.alloc(0);
  /** The current data frame. */
  #data: { readonly streamId: number; readonly fin: boolean; left: number } | undefined;

  /** @throws SpdyError, after which the connection is unusable */
  *push(chunk: Uint8Array): Generator<Frame> {
    this.#kept = this.#kept.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#kept, chunk]);
    for (;;) {
      const frame = this.#next();
      if (frame === undefined) return;
      if (frame !== 'skipped') yield frame;
    }
  }

  #next(): Frame | 'skipped' | undefined {
    if (this.#data !== undefined) return this.#dataPart(this.#data);
    if (this.#kept.length < headBytes) return undefined;
    const first = this.#kept.readUInt32BE(0);
    const second = this.#kept.readUInt32BE(4);
    const flags = second >>> 24;
    const length = second & 0xffffff;
    const isControl = first >= 2 ** 31;
    if (!isControl) {
      if (first === 0) throw new SpdyError('data of stream 0');
      this.#data = { streamId: first, fin: (flags & finFlag) !== 0, left: length };
      this.#kept = this.#kept.subarray(headBytes);
      return length === 0 ? this.#dataPart(this.#data) : 'skipped';
    }
    if (length > controlFrameBytesMax) throw new SpdyError(`control frame of ${length} bytes`);
    if (this.#kept.length < headBytes + length) return undefined;
    const payload = this.#kept.subarray(headBytes, headBytes + length);
    this.#kept = this.#kept.subarray(headBytes + length);
    if (((first >>> 16) & 0x7fff) !== version) throw new SpdyError('not version 3');
    return this.#control(first & 0xffff, flags, payload);
  }

  #dataPart(data: { readonly streamId: number; readonly fin: boolean; left: number }): Frame | undefined {
    if (data.left > 0 && this.#kept.length === 0) return undefined;
    const bytes = this.#kept.subarray(0, data.left);
    this.#kept = this.#kept.subarray(bytes.length);
    data.left -= bytes.length;
    const isLast = data.left === 0;
    if (isLast) this.#data = undefined;
    return { kind: 'data', streamId: data.streamId, bytes, fin: isLast && data.fin };
  }

  #control(type: number, flags: number, payload: Buffer): Frame | 'skipped' {
    const fin = (flags & finFlag) !== 0;
    const word = (index: number): number => {
      if (payload.length < index * 4 + 4) throw new SpdyError(`frame of type ${type} is too short`);
      return payload.readUInt32BE(index * 4);
    };
    switch (type) {
      case frameTypes.synStream:
        return { kind: 'synStream', streamId: streamIdOf(word(0)), headers: this.#headers(payload, 10), fin };
      case frameTypes.synReply:
        return { kind: 'synReply', streamId: streamIdOf(word(0)), headers: this.#headers(payload, 4), fin };
      case frameTypes.headers:
        return { kind: 'headers', streamId: streamIdOf(word(0)), headers: this.#headers(payload, 4), fin };
      case frameTypes.reset:
        return { kind: 'reset', streamId: streamIdOf(word(0)), status: word(1) };
      case frameTypes.ping:
        return { kind: 'ping', id: word(0) };
      case frameTypes.goAway:
        return { kind: 'goAway', lastStreamId: word(0), status: word(1) };
      case frameTypes.windowUpdate:
        return { kind: 'windowUpdate', streamId: word(0), delta: word(1) };
      case frameTypes.settings: {
        const count = word(0);
        if (payload.length < 4 + count * 8) throw new SpdyError('settings are too short');
        const values = Array.from({ length: count }, (_, index) => {
          const name = word(1 + index * 2);
          return { flags: name >>> 24, id: name & 0xffffff, value: word(2 + index * 2) };
        });
        return { kind: 'settings', values };
      }
      default:
        throw new SpdyError(`frame of unknown type ${type}`);
    }
  }

  #headers(payload: Buffer, start: number): SpdyHeaders {
    if (payload.length <= start) throw new SpdyError('no header block');
    return parseHeaders(this.#inflater.inflate(payload.subarray(start)));
  }
}

function streamIdOf(word: number): number {
  const id = word & 0x7fffffff;
  if (id === 0) throw new SpdyError('stream 0');
  return id;
}

function parseHeaders(block: Buffer): SpdyHeaders {
  let at = 0;
  const length = (): number => {
    if (block.length < at + 4) throw new SpdyError('header block breaks off');
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const bytes = length();
    if (block.length < at + bytes) throw new SpdyError('header block breaks off');
    at += bytes;
    return block.toString('utf8', at - bytes, at);
  };
  const count = length();
  if (count > headersMax) throw new SpdyError(`${count} headers`);
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const name = text().toLowerCase();
    if (headers.has(name)) throw new SpdyError(`header "${name}" comes twice`);
    headers.set(name, text());
  }
  return Object.fromEntries(headers);
}
