import { frameHeadBytes, writeFrameHead } from '../frames/frame.ts';

const scratchBytes = 64 * 1024;
/** Longer payloads are sent without copying: a write of several chunks costs more than copying less saves. */
const copiedBytesMax = 4096;

/**
 * Collects frames for one write. All connections share one buffer, which is empty between flushes, so an idle
 * connection needs no memory for it.
 */
export class FlushBuffer {
  #scratch = Buffer.allocUnsafeSlow(scratchBytes);
  #at = 0;
  #chunks: Uint8Array[] = [];
  /** What was added since it was last taken. */
  bytes = 0;

  /**
   * Adds a frame that `write` fills in: it receives the offset, with at least `bytesMost` bytes available, and returns
   * the end. For a payload larger than `payloadBytesMax`, nothing is added and the payload is returned to the caller.
   */
  frame(
    type: number,
    flags: number,
    streamId: number,
    payloadBytesMax: number,
    bytesMost: number,
    write: (target: Buffer, at: number) => number,
  ): Uint8Array | undefined {
    this.#reserve(frameHeadBytes + bytesMost);
    const start = this.#at + frameHeadBytes;
    const end = write(this.#scratch, start);
    if (end - start > payloadBytesMax) return Uint8Array.prototype.slice.call(this.#scratch, start, end);
    writeFrameHead(this.#scratch, this.#at, type, flags, streamId, end - start);
    this.bytes += end - this.#at;
    this.#at = end;
    return undefined;
  }

  /** The caller must add the payload of `payloadBytes` next. */
  frameHead(type: number, flags: number, streamId: number, payloadBytes: number): void {
    this.#reserve(frameHeadBytes);
    writeFrameHead(this.#scratch, this.#at, type, flags, streamId, payloadBytes);
    this.#at += frameHeadBytes;
    this.bytes += frameHeadBytes;
  }

  add(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    if (bytes.length > copiedBytesMax) {
      this.#cut();
      this.#chunks.push(bytes);
      return;
    }
    this.#reserve(bytes.length);
    this.#scratch.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Everything that was added, in order. */
  take(): readonly Uint8Array[] {
    this.#cut();
    const chunks = this.#chunks;
    this.#chunks = [];
    this.bytes = 0;
    return chunks;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#scratch.length) return;
    this.#cut();
    if (bytes > this.#scratch.length) this.#scratch = Buffer.allocUnsafeSlow(bytes);
  }

  #cut(): void {
    if (this.#at === 0) return;
    const chunk = Buffer.allocUnsafe(this.#at);
    this.#scratch.copy(chunk, 0, 0, this.#at);
    this.#chunks.push(chunk);
    this.#at = 0;
  }
}
