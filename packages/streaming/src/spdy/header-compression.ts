/**
 * Compressed header blocks. All blocks of one direction form a single zlib stream that is flushed after each block. So
 * each block is independent raw deflate data if the text before it is used as the dictionary, and no zlib object has to
 * be kept.
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { headerDictionary } from './dictionary.ts';
import { SpdyError } from './spdy-error.ts';

/** The window of zlib. */
const windowBytes = 32 * 1024;

/** The maximum size of a decompressed block. */
export const headerBlockBytesMax = 64 * 1024;

/** Deflate with a 32 KiB window, the default level, and a dictionary identified by its Adler-32 checksum. */
const streamStart = Buffer.from([0x78, 0xbb, ...adler32(headerDictionary)]);

export class HeaderDeflater {
  #before = headerDictionary;
  #started = false;

  deflate(block: Buffer): Buffer {
    const deflated = deflateRawSync(block, {
      dictionary: this.#before,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    this.#before = windowOf(this.#before, block);
    if (this.#started) return deflated;
    this.#started = true;
    return Buffer.concat([streamStart, deflated]);
  }
}

export class HeaderInflater {
  #before = headerDictionary;
  #started = false;

  /** @throws SpdyError for invalid data, or for a block that is too large */
  inflate(deflated: Buffer): Buffer {
    const raw = this.#started ? deflated : withoutStart(deflated);
    this.#started = true;
    const block = this.#inflate(raw);
    this.#before = windowOf(this.#before, block);
    return block;
  }

  #inflate(raw: Buffer): Buffer {
    try {
      return inflateRawSync(raw, {
        dictionary: this.#before,
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: headerBlockBytesMax,
      });
    } catch (failure) {
      throw new SpdyError(`header block: ${messageOf(failure)}`);
    }
  }
}

/** Without the two header bytes of a zlib stream, and without the dictionary id if there is one. */
function withoutStart(deflated: Buffer): Buffer {
  const [method = 0, flags = 0] = deflated;
  if ((method & 0x0f) !== 8 || (method * 256 + flags) % 31 !== 0)
    throw new SpdyError('header block: not deflated');
  const hasDictionary = (flags & 0x20) !== 0;
  if (!hasDictionary) throw new SpdyError('header block: deflated without the dictionary of SPDY/3');
  if (!deflated.subarray(2, 6).equals(streamStart.subarray(2)))
    throw new SpdyError('header block: deflated with another dictionary');
  return deflated.subarray(6);
}

function windowOf(before: Buffer, block: Buffer): Buffer {
  return Buffer.concat([before, block]).subarray(-windowBytes);
}

/** RFC 1950, section 8.2. */
function adler32(bytes: Uint8Array): Uint8Array {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return Uint8Array.of(high >> 8, high & 255, low >> 8, low & 255);
}
