/**
 * Node's cryptography, for certificates and keys inside of objects. Elsewhere (in a browser) there is none that
 * answers at once: what depends on it is then taken for good.
 */

type NodeCrypto = ReturnType<typeof globalThis.process.getBuiltinModule<'node:crypto'>>;
export type KeyObject = ReturnType<NodeCrypto['createPublicKey']>;
export type X509Certificate = InstanceType<NodeCrypto['X509Certificate']>;

export const nodeCrypto = (): NodeCrypto | undefined => globalThis.process?.getBuiltinModule?.('node:crypto');

/** Undefined for bytes that are no certificate. */
export function readCertificate(der: Uint8Array): X509Certificate | undefined {
  const crypto = nodeCrypto();
  try {
    return crypto && new crypto.X509Certificate(der);
  } catch {
    return undefined;
  }
}

/** @param der a SubjectPublicKeyInfo */
export function readPublicKey(der: Uint8Array): KeyObject | undefined {
  try {
    return nodeCrypto()?.createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** The form is found by trying, as Go does: what the block's type says doesn't count. */
export function readPrivateKey(der: Uint8Array): KeyObject | undefined {
  const crypto = nodeCrypto();
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    try {
      return crypto?.createPrivateKey({ key: Buffer.from(der), format: 'der', type });
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Keys of two kinds are never one; comparing them is an error. */
export const isSameKey = (one: KeyObject, other: KeyObject): boolean =>
  one.asymmetricKeyType === other.asymmetricKeyType && one.equals(other);
