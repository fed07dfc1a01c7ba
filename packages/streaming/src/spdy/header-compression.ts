/**
 * Header blocks, deflated. All blocks of one direction are one zlib stream that is flushed after each block;
 * so each block is raw deflate of its own once the text before it is given as its dictionary, and no zlib
 * object has to be kept.
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { headerDictionary } from './dictionary.ts';
import { SpdyError } from './spdy-error.ts';

/** What zlib can look back at. */
const windowBytes = 32 * 1024;

/** A block that unfolds to more is refused. */
export const headerBlockBytesMax = 64 * 1024;

/** Deflate with a 32 KiB window, default level, and a dictionary, which Adler-32 names. */
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

  /** @throws SpdyError for what zlib can't read, or what is too large */
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

/** Without the two bytes of a zlib stream's head, and the dictionary's name where there is one. */
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
