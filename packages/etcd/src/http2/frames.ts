/** Frames of HTTP/2 (RFC 9113): 9 bytes of head, then what they carry. */

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flags = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

export const errorCodes = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
} as const;

export const settingIds = { initialWindowSize: 4, maxFrameSize: 5, maxConcurrentStreams: 3 } as const;

/** What both sides send, and take, when nothing else was agreed on. */
export const payloadBytesDefault = 16_384;
export const windowBytesDefault = 65_535;
export const windowBytesMax = 2 ** 31 - 1;

/** What HTTP/2 connections begin with. */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Ends the connection. */
export class ConnectionFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

const headBytes = 9;

/** Puts chunks together to frames. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);
  #at = 0;
  #prefaceIsRead = false;

  push(chunk: Buffer): void {
    this.#rest =
      this.#at === this.#rest.length ? chunk : Buffer.concat([this.#rest.subarray(this.#at), chunk]);
    this.#at = 0;
  }

  /** The next frame, when it is there as a whole. @throws ConnectionFailure */
  next(): Frame | undefined {
    if (!this.#prefaceIsRead && !this.#readPreface()) return undefined;
    const bytes = this.#rest;
    const at = this.#at;
    if (bytes.length - at < headBytes) return undefined;
    const length = bytes.readUIntBE(at, 3);
    if (length > payloadBytesDefault)
      throw new ConnectionFailure(errorCodes.frameSize, `a frame of ${length} bytes`);
    const end = at + headBytes + length;
    if (bytes.length < end) return undefined;
    this.#at = end;
    return {
      type: bytes[at + 3]!,
      flags: bytes[at + 4]!,
      streamId: bytes.readUInt32BE(at + 5) & windowBytesMax,
      payload: bytes.subarray(at + headBytes, end),
    };
  }

  #readPreface(): boolean {
    if (this.#rest.length < preface.length) return false;
    if (!this.#rest.subarray(0, preface.length).equals(preface))
      throw new ConnectionFailure(errorCodes.protocol, 'this is not HTTP/2');
    this.#at = preface.length;
    this.#prefaceIsRead = true;
    return true;
  }
}

const bufferBytes = 16 * 1024;

/** Collects frames to be written at once. */
export class FrameWriter {
  #full: Buffer[] = [];
  #buffer: Buffer = Buffer.allocUnsafe(bufferBytes);
  #start = 0;
  #at = 0;

  /** Without payload, which is to be `add`ed: `length` bytes of it. */
  head(type: number, frameFlags: number, streamId: number, length: number): void {
    this.#reserve(headBytes);
    const at = this.#at;
    this.#buffer.writeUIntBE(length, at, 3);
    this.#buffer[at + 3] = type;
    this.#buffer[at + 4] = frameFlags;
    this.#buffer.writeUInt32BE(streamId, at + 5);
    this.#at += headBytes;
  }

  /** A frame whose payload is numbers of four bytes. */
  numbers(type: number, streamId: number, ...values: readonly number[]): void {
    this.head(type, 0, streamId, values.length * 4);
    this.#reserve(values.length * 4);
    for (const value of values) this.#at = this.#buffer.writeUInt32BE(value, this.#at);
  }

  /** Bytes of more than a few KiB are taken as they are, not copied. */
  add(bytes: Uint8Array): void {
    if (bytes.length > bufferBytes / 4) {
      this.#close();
      this.#full.push(asBuffer(bytes));
      return;
    }
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  take(): readonly Buffer[] {
    this.#close();
    const full = this.#full;
    this.#full = [];
    return full;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= bufferBytes) return;
    this.#close();
    this.#buffer = Buffer.allocUnsafe(bufferBytes);
    this.#start = this.#at = 0;
  }

  /** What was written is given away; the rest of the buffer is used on. */
  #close(): void {
    if (this.#at > this.#start) this.#full.push(this.#buffer.subarray(this.#start, this.#at));
    this.#start = this.#at;
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
