/** AES in upstream's formats: CBC with a random initialization vector as prefix, GCM with a random nonce as prefix. */
import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';
import { createCipheriv, createDecipheriv, randomBytes, type CipherGCMTypes } from 'node:crypto';
import type { Transformer } from './transformer.ts';

const blockBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;

export const aesKeyBytes = [16, 24, 32] as const;

const tooShort = () => new Error('the stored data was shorter than the required size');

/** Not bound to the storage key. @param key of 16, 24 or 32 bytes */
export function aesCbc(key: Uint8Array): Transformer {
  const algorithm = `aes-${key.length * 8}-cbc`;
  return {
    fromStorage(data) {
      if (data.length < blockBytes) throw tooShort();
      if (data.length % blockBytes !== 0) {
        throw new Error('the stored data is not a multiple of the block size');
      }
      const decipher = createDecipheriv(algorithm, key, data.subarray(0, blockBytes));
      decipher.setAutoPadding(false);
      const padded = joinedBytes([decipher.update(data.subarray(blockBytes)), decipher.final()]);
      return { data: unpadded(padded), isStale: false };
    },
    toStorage(data) {
      const vector = randomBytes(blockBytes);
      const cipher = createCipheriv(algorithm, key, vector);
      return joinedBytes([vector, cipher.update(data), cipher.final()]);
    },
  };
}

/** PKCS #7: the last byte is the number of padding bytes. */
function unpadded(data: Uint8Array): Uint8Array {
  const padding = data.at(-1) ?? 0;
  if (padding === 0 || padding > data.length) throw new Error('invalid PKCS7 data (empty or not padded)');
  const size = data.length - padding;
  if (data.subarray(size).some((byte) => byte !== padding)) throw new Error('invalid padding on input');
  return data.subarray(0, size);
}

/** @param key of 16, 24 or 32 bytes */
export function aesGcm(key: Uint8Array): Transformer {
  const algorithm = `aes-${key.length * 8}-gcm` as CipherGCMTypes;
  return {
    fromStorage(data, context) {
      if (data.length < nonceBytes) throw tooShort();
      if (data.length < nonceBytes + tagBytes) throw unauthentic();
      const decipher = createDecipheriv(algorithm, key, data.subarray(0, nonceBytes));
      decipher.setAAD(context);
      decipher.setAuthTag(data.subarray(-tagBytes));
      const opened = decipher.update(data.subarray(nonceBytes, -tagBytes));
      try {
        decipher.final();
      } catch {
        throw unauthentic();
      }
      return { data: opened, isStale: false };
    },
    toStorage(data, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce);
      cipher.setAAD(context);
      const sealed = cipher.update(data);
      cipher.final();
      return joinedBytes([nonce, sealed, cipher.getAuthTag()]);
    },
  };
}

const unauthentic = () => new Error('cipher: message authentication failed');
