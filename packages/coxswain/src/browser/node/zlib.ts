/** The parts of `node:zlib` that compress responses, run on the page's only thread. */

import { Buffer } from 'buffer';
import { Transform } from './stream.ts';
import { Deflate, deflateRaw as packRaw, gzip, inflateRaw, ungzip } from 'pako';

interface Options {
  readonly level?: number;
  readonly dictionary?: Uint8Array;
  readonly finishFlush?: number;
}

export const gzipSync = (bytes: Uint8Array): Buffer => Buffer.from(gzip(bytes));
export const gunzipSync = (bytes: Uint8Array): Buffer => Buffer.from(ungzip(bytes));
export const deflateRawSync = (bytes: Uint8Array, options: Options = {}): Buffer =>
  Buffer.from(packRaw(bytes, options as object));
export const inflateRawSync = (bytes: Uint8Array, options: Options = {}): Buffer =>
  Buffer.from(inflateRaw(bytes, options as object));

/** Data after a flush forms another block of the same stream. */
export function deflateRaw(
  bytes: Uint8Array,
  { finishFlush = constants.Z_FINISH, ...options }: Options,
  done: (failure: null, packed: Buffer) => void,
): void {
  const packer = new Deflate({ ...options, raw: true } as object);
  const parts: Uint8Array[] = [];
  packer.onData = (part: Uint8Array) => void parts.push(part);
  packer.push(bytes, finishFlush as 0);
  done(null, Buffer.concat(parts));
}

/** Compresses everything at once when the input has ended. */
export function createGzip(options: Options = {}): Transform {
  const parts: Uint8Array[] = [];
  return new Transform({
    transform(part: Uint8Array, _encoding, next) {
      parts.push(part);
      next();
    },
    flush(done) {
      done(null, Buffer.from(gzip(Buffer.concat(parts), options as object)));
    },
  });
}

export const constants = {
  Z_NO_FLUSH: 0,
  Z_PARTIAL_FLUSH: 1,
  Z_SYNC_FLUSH: 2,
  Z_FULL_FLUSH: 3,
  Z_FINISH: 4,
  Z_DEFAULT_COMPRESSION: -1,
  Z_BEST_SPEED: 1,
  Z_BEST_COMPRESSION: 9,
};

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

export function crc32(data: Uint8Array, before = 0): number {
  let value = ~before;
  for (const byte of data) value = crcTable[(value ^ byte) & 255]! ^ (value >>> 8);
  return ~value >>> 0;
}
