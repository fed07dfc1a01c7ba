/** AES-GCM with a separate key for each value, derived from a seed that many values can share. */
import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';
import { createHmac, randomBytes } from 'node:crypto';
import { aesGcm } from './aes.ts';
import type { Transformer } from './transformer.ts';

/** The sizes of the seed, the derived key, and the derivation's info. */
export const seedBytes = 32;
const infoBytes = 32;

/** @throws Error when the seed is too short */
export function extendedNonceGcm(seed: Uint8Array): Transformer {
  if (seed.length < seedBytes) throw new Error(`invalid seed length ${seed.length} used for key generation`);
  return {
    fromStorage(data, context) {
      if (data.length < infoBytes) throw new Error('the stored data was shorter than the required size');
      const info = data.subarray(0, infoBytes);
      return aesGcm(derivedKey(seed, info)).fromStorage(data.subarray(infoBytes), context);
    },
    toStorage(data, context) {
      const info = randomBytes(infoBytes);
      return joinedBytes([info, aesGcm(derivedKey(seed, info)).toStorage(data, context)]);
    },
  };
}

/** HKDF with SHA-256 (RFC 5869), only its expand step, of which 32 bytes are the first block. */
const derivedKey = (seed: Uint8Array, info: Uint8Array): Uint8Array =>
  createHmac('sha256', seed).update(info).update(Uint8Array.of(1)).digest();
