import {
  ConnectionFailure,
  errorCodes,
  frameHeadBytes,
  preface,
  windowBytesMost,
  type Frame,
} from './frame.ts';

const none = Buffer.alloc(0);
/**
 * The maximum number of chunks that are kept unjoined, so that a client sending single bytes does not cost a buffer for
 * each.
 */
const laterChunksMax = 256;

/** Assembles chunks into frames. Incomplete frames wait unjoined, so that they are copied only once. */
export class FrameReader {
  readonly #payloadBytesMax: number;
  #bytes: Buffer = none;
  #at = 0;
  /** What arrived after `#bytes`. */
  #later: Buffer[] = [];
  #laterBytes = 0;
  #prefaceIsRead = false;

  /** @param payloadBytesMax the announced maximum; larger frames end the connection */
  constructor(payloadBytesMax: number) {
    this.#payloadBytesMax = payloadBytesMax;
  }

  push(chunk: Buffer): void {
    if (this.#at === this.#bytes.length && this.#laterBytes === 0) {
      this.#bytes = chunk;
      this.#at = 0;
      return;
    }
    this.#later.push(chunk);
    this.#laterBytes += chunk.length;
    if (this.#later.length > laterChunksMax) this.#join();
  }

  /**
   * The next complete frame.
   * @throws ConnectionFailure
   */
  next(): Frame | undefined {
    if (!this.#prefaceIsRead && !this.#readPreface()) return undefined;
    if (!this.#has(frameHeadBytes)) {
      this.#forget();
      return undefined;
    }
    const length = this.#bytes.readUIntBE(this.#at, 3);
    if (length > this.#payloadBytesMax)
      throw new ConnectionFailure(errorCodes.frameSize, `a frame of ${length} bytes`);
    if (!this.#has(frameHeadBytes + length)) return undefined;
    const bytes = this.#bytes;
    const at = this.#at;
    const start = at + frameHeadBytes;
    const end = start + length;
    this.#at = end;
    return {
      type: bytes[at + 3]!,
      flags: bytes[at + 4]!,
      streamId: bytes.readUInt32BE(at + 5) & windowBytesMost,
      bytes,
      start,
      end,
    };
  }

  /** Whether this many bytes are available; if so, they are in `#bytes`. */
  #has(count: number): boolean {
    const here = this.#bytes.length - this.#at;
    if (here >= count) return true;
    if (here + this.#laterBytes < count) return false;
    this.#join();
    return true;
  }

  #join(): void {
    this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), ...this.#later]);
    this.#at = 0;
    this.#later = [];
    this.#laterBytes = 0;
  }

  /** An idle connection keeps no buffers. */
  #forget(): void {
    if (this.#at < this.#bytes.length) return;
    this.#bytes = none;
    this.#at = 0;
  }

  #readPreface(): boolean {
    // A peer that speaks another protocol is told so before this many bytes have arrived.
    const here = Buffer.concat([this.#bytes.subarray(this.#at), ...this.#later]).subarray(0, preface.length);
    if (!preface.subarray(0, here.length).equals(here))
      throw new ConnectionFailure(errorCodes.protocol, 'this is not HTTP/2');
    if (!this.#has(preface.length)) return false;
    this.#at += preface.length;
    this.#prefaceIsRead = true;
    return true;
  }
}
