/** NaCl's secretbox: XSalsa20 and Poly1305, with a random nonce as prefix. */
import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { randomBytes } from 'node:crypto';
import type { Transformer } from './transformer.ts';

export const secretboxKeyBytes = 32;
const nonceBytes = 24;
const tagBytes = 16;

/** Not bound to the storage key. @param key of 32 bytes */
export const secretbox = (key: Uint8Array): Transformer => ({
  fromStorage(data) {
    if (data.length < nonceBytes + tagBytes) {
      throw new Error('the stored data was shorter than the required size');
    }
    return { data: opened(key, data), isStale: false };
  },
  toStorage(data) {
    const nonce = randomBytes(nonceBytes);
    return joinedBytes([nonce, xsalsa20poly1305(key, nonce).encrypt(data)]);
  },
});

function opened(key: Uint8Array, data: Uint8Array): Uint8Array {
  try {
    return xsalsa20poly1305(key, data.subarray(0, nonceBytes)).decrypt(data.subarray(nonceBytes));
  } catch {
    // Upstream's message for a value that isn't authentic.
    throw new Error('output array was not large enough for encryption');
  }
}
