/** HTTP/2 frames (RFC 9113, sections 4 and 6): a header of nine bytes, then the payload. */

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

export const settingIds = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** The maximum that both sides send and accept by default. */
export const payloadBytesDefault = 16_384;
export const windowBytesDefault = 65_535;

export const payloadBytesMost = 2 ** 24 - 1;
export const windowBytesMost = 2 ** 31 - 1;
export const streamIdMost = 2 ** 31 - 1;

export const frameHeadBytes = 9;
/** One setting: its id in two bytes, its value in four. */
export const settingBytes = 6;
/** The priority fields of a HEADERS frame, before its header block. */
export const priorityBytes = 5;

/** The connection preface. */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** A received frame: its payload is `bytes` from `start` to `end`. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Ends the connection; the client receives the code. */
export class ConnectionFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Ends one stream; the client receives the code. */
export class StreamFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A complete frame to send, for types that consist of a few 32-bit numbers. */
export function frameOfNumbers(type: number, streamId: number, ...values: readonly number[]): Buffer {
  const frame = frameOf(type, 0, streamId, values.length * 4);
  let at = frameHeadBytes;
  for (const value of values) at = frame.writeUInt32BE(value, at);
  return frame;
}

/** With space for a payload of `payloadBytes`, to be filled in. */
export function frameOf(type: number, frameFlags: number, streamId: number, payloadBytes: number): Buffer {
  const frame = Buffer.allocUnsafe(frameHeadBytes + payloadBytes);
  writeFrameHead(frame, 0, type, frameFlags, streamId, payloadBytes);
  return frame;
}

export function writeFrameHead(
  target: Uint8Array,
  at: number,
  type: number,
  frameFlags: number,
  streamId: number,
  payloadBytes: number,
): void {
  target[at] = payloadBytes >>> 16;
  target[at + 1] = payloadBytes >>> 8;
  target[at + 2] = payloadBytes;
  target[at + 3] = type;
  target[at + 4] = frameFlags;
  target[at + 5] = streamId >>> 24;
  target[at + 6] = streamId >>> 16;
  target[at + 7] = streamId >>> 8;
  target[at + 8] = streamId;
}
