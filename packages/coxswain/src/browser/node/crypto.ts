/** The parts of `node:crypto` that a cluster in a page needs: digests, random bytes, and the keys that sign tokens. */

import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { Buffer } from './buffer.ts';
import { derOf } from './keys.ts';

export { createPrivateKey, createPublicKey, generateKeyPairSync, KeyObject, sign, verify } from './keys.ts';

const digests = { md5, sha1, sha256, sha384, sha512 };

type DigestName = keyof typeof digests;

const digestNamed = (name: string): (typeof digests)[DigestName] => {
  const digest = digests[name.toLowerCase() as DigestName];
  if (digest === undefined) throw new Error(`Digest method not supported: ${name}`);
  return digest;
};

interface Running {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

class Digest {
  readonly #running: Running;

  constructor(running: Running) {
    this.#running = running;
  }

  update(data: string | Uint8Array, encoding?: BufferEncoding): this {
    this.#running.update(typeof data === 'string' ? Buffer.from(data, encoding) : data);
    return this;
  }

  digest(): Buffer;
  digest(encoding: BufferEncoding): string;
  digest(encoding?: BufferEncoding): Buffer | string {
    const bytes = Buffer.from(this.#running.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
}

export const createHash = (name: string): Digest => new Digest(digestNamed(name).create());

export const createHmac = (name: string, key: string | Uint8Array): Digest =>
  new Digest(hmac.create(digestNamed(name), typeof key === 'string' ? Buffer.from(key) : key));

export const randomBytes = (count: number): Buffer =>
  Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(count)));

/** Fills the bytes in place. */
export const randomFillSync = <T extends Uint8Array<ArrayBuffer>>(bytes: T): T =>
  globalThis.crypto.getRandomValues(bytes);

export const randomUUID = (): string => globalThis.crypto.randomUUID();

/** Returns an integer at least `from` and less than `to`. */
export function randomInt(from: number, to?: number): number {
  const [low, high] = to === undefined ? [0, from] : [from, to];
  return low + (globalThis.crypto.getRandomValues(new Uint32Array(1))[0]! % (high - low));
}

export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) throw new RangeError('Input buffers must have the same byte length');
  let difference = 0;
  for (const [at, byte] of one.entries()) difference |= byte ^ other[at]!;
  return difference === 0;
}

export const webcrypto = globalThis.crypto;

export const constants = {
  RSA_PKCS1_PADDING: 1,
  RSA_PKCS1_PSS_PADDING: 6,
  RSA_PSS_SALTLEN_AUTO: -2,
};

/** Only holds the bytes: no client of a page can present a certificate, so none is ever verified. */
export class X509Certificate {
  readonly raw: Uint8Array;

  constructor(input: string | Uint8Array) {
    this.raw = derOf(input);
  }
}
