/**
 * Node's cryptography, for certificates and keys inside of objects. Elsewhere (in a browser) there is none that
 * answers at once: what depends on it is then taken for good.
 */
import type * as NodeCrypto from 'node:crypto';

export const nodeCrypto = (): typeof NodeCrypto | undefined =>
  globalThis.process?.getBuiltinModule?.('node:crypto');

/** Undefined for bytes that are no certificate. */
export function readCertificate(der: Uint8Array): NodeCrypto.X509Certificate | undefined {
  const crypto = nodeCrypto();
  try {
    return crypto && new crypto.X509Certificate(der);
  } catch {
    return undefined;
  }
}

/** @param der a SubjectPublicKeyInfo */
export function readPublicKey(der: Uint8Array): NodeCrypto.KeyObject | undefined {
  try {
    return nodeCrypto()?.createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** Keys of two kinds are never one; comparing them is an error. */
export const isSameKey = (one: NodeCrypto.KeyObject, other: NodeCrypto.KeyObject): boolean =>
  one.asymmetricKeyType === other.asymmetricKeyType && one.equals(other);
