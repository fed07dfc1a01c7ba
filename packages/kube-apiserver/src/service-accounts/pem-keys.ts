/** Signing and verifying keys of service accounts, from PEM: private keys, public keys, or certificates. */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { TokenSigner } from './token-issuer.ts';

export interface TokenVerifier {
  readonly algorithm: string;
  readonly keyId: string;
  /** The public key, as others may read it. */
  readonly jwk: object;
  verify(signed: Uint8Array, signature: Uint8Array): boolean;
}

const curves: Readonly<Record<string, { readonly algorithm: string; readonly hash: string }>> = {
  prime256v1: { algorithm: 'ES256', hash: 'sha256' },
  secp384r1: { algorithm: 'ES384', hash: 'sha384' },
  secp521r1: { algorithm: 'ES512', hash: 'sha512' },
};

/** @throws Error when it is no RSA or EC key */
export function signerFromPem(pem: string): TokenSigner {
  const key = createPrivateKey(pem);
  const { algorithm, hash } = algorithmOf(key);
  return {
    algorithm,
    keyId: keyIdOf(createPublicKey(key)),
    sign: (bytes) => sign(hash, bytes, { key, dsaEncoding: 'ieee-p1363' }),
  };
}

/** All keys of a file; private keys and certificates stand for their public keys. @throws Error */
export function verifiersFromPem(pem: string): TokenVerifier[] {
  const blocks = pem.match(/-----BEGIN [^-]+-----[\s\S]+?-----END [^-]+-----/g) ?? [];
  return blocks
    .filter((block) => !block.startsWith('-----BEGIN EC PARAMETERS'))
    .map((block) => {
      const key = createPublicKey(block);
      const { algorithm, hash } = algorithmOf(key);
      return {
        algorithm,
        keyId: keyIdOf(key),
        jwk: { use: 'sig', ...key.export({ format: 'jwk' }), kid: keyIdOf(key), alg: algorithm },
        verify: (signed, signature) => verify(hash, signed, { key, dsaEncoding: 'ieee-p1363' }, signature),
      };
    });
}

function algorithmOf(key: KeyObject): { algorithm: string; hash: string } {
  if (key.asymmetricKeyType === 'rsa') return { algorithm: 'RS256', hash: 'sha256' };
  const curve = curves[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (curve === undefined) throw new Error('neither an RSA key nor an EC key of a known curve');
  return curve;
}

/** As the original derives it, so that keys keep their ids between the two. */
const keyIdOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
