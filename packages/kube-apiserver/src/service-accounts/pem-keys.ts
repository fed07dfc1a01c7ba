/** Reads service account keys for signing and verifying from PEM: private keys, public keys, or certificates. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import type { TokenSigner } from './token-issuer.ts';

export interface TokenVerifier {
  readonly algorithm: string;
  readonly keyId: string;
  /** The public key in its published form. */
  readonly jwk: object;
  readonly key: KeyObject;
}

const curves: Readonly<Record<string, { readonly algorithm: string; readonly hash: string }>> = {
  prime256v1: { algorithm: 'ES256', hash: 'sha256' },
  secp384r1: { algorithm: 'ES384', hash: 'sha384' },
  secp521r1: { algorithm: 'ES512', hash: 'sha512' },
};

/** @throws Error for anything but an RSA or EC key */
export const signerFromPem = (pem: string): TokenSigner => signerOf(createPrivateKey(pem));

/** @throws Error for a curve without a signature algorithm */
export function signerOf(key: KeyObject): TokenSigner {
  const { algorithm, hash } = algorithmOf(key);
  return {
    algorithm,
    keyId: keyIdOf(createPublicKey(key)),
    sign: (bytes) => sign(hash, bytes, { key, dsaEncoding: 'ieee-p1363' }),
  };
}

const pemBlock = /-----BEGIN ([^-]+)-----[\s\S]+?-----END \1-----/g;

/** All keys of a file; private keys and certificates yield their public keys. @throws Error when there is none */
export function verifiersFromPem(pem: string): TokenVerifier[] {
  const keys = [...pem.matchAll(pemBlock)].flatMap(([block, type]) => publicKeyIn(block, type!) ?? []);
  if (keys.length === 0) {
    throw new Error('data does not contain any valid RSA or ECDSA public keys');
  }
  return keys.map((key) => verifierOf(key, keyIdOf(key)));
}

/** @throws Error for a curve without a signature algorithm */
export function verifierOf(key: KeyObject, keyId: string): TokenVerifier {
  const { algorithm } = algorithmOf(key);
  const jwk = { use: 'sig', ...key.export({ format: 'jwk' }), kid: keyId, alg: algorithm };
  return { algorithm, keyId, jwk, key };
}

/** Other blocks of a file, such as a curve's parameters, are skipped. */
function publicKeyIn(block: string, type: string): KeyObject | undefined {
  try {
    const key = type === 'CERTIFICATE' ? new X509Certificate(block).publicKey : createPublicKey(block);
    return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ec' ? key : undefined;
  } catch {
    return undefined;
  }
}

function algorithmOf(key: KeyObject): { algorithm: string; hash: string } {
  if (key.asymmetricKeyType === 'rsa') return { algorithm: 'RS256', hash: 'sha256' };
  const curve = curves[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (curve === undefined) throw new Error('unknown private key curve, must be 256, 384, or 521');
  return curve;
}

/** As upstream derives it, so that a key has the same id in both servers. */
export const keyIdOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
