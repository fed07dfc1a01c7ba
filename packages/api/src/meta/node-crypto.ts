/**
 * Node's cryptography, for certificates and keys in objects. Browsers have no synchronous one: checks that need it are
 * skipped there.
 */

type NodeCrypto = ReturnType<typeof globalThis.process.getBuiltinModule<'node:crypto'>>;
export type KeyObject = ReturnType<NodeCrypto['createPublicKey']>;
export type X509Certificate = InstanceType<NodeCrypto['X509Certificate']>;

export const nodeCrypto = (): NodeCrypto | undefined => globalThis.process?.getBuiltinModule?.('node:crypto');

/** Undefined for bytes that are not a certificate. */
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

/** The format is determined by trying, as Go does: the block's type is ignored. */
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

/** Keys of different types are never equal; comparing them would throw. */
export const isSameKey = (one: KeyObject, other: KeyObject): boolean =>
  one.asymmetricKeyType === other.asymmetricKeyType && one.equals(other);
