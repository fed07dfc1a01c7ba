/** Service account tokens stored in Secrets: they never expire, and contain the name of the Secret. */
import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';

export interface TokenOf {
  readonly namespace: string;
  readonly account: string;
  readonly accountUid: string;
  readonly secret: string;
}

/** @param privateKey PEM @throws Error for a key that can't sign tokens */
export function legacyToken(privateKey: string, { namespace, account, accountUid, secret }: TokenOf): string {
  const key = createPrivateKey(privateKey);
  const { alg, hash } = algorithmOf(key);
  const prefix = 'kubernetes.io/serviceaccount';
  const claims = {
    iss: prefix.replace('.io', ''),
    [`${prefix}/namespace`]: namespace,
    [`${prefix}/secret.name`]: secret,
    [`${prefix}/service-account.name`]: account,
    [`${prefix}/service-account.uid`]: accountUid,
    sub: `system:serviceaccount:${namespace}:${account}`,
  };
  const signed = `${encoded({ alg, kid: keyId(key) })}.${encoded(claims)}`;
  const signature = sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The API server identifies its keys by the digest of their public part. */
function keyId(key: KeyObject): string {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64url');
}

const curves: Readonly<Record<string, { readonly alg: string; readonly hash: string }>> = {
  prime256v1: { alg: 'ES256', hash: 'sha256' },
  secp384r1: { alg: 'ES384', hash: 'sha384' },
  secp521r1: { alg: 'ES512', hash: 'sha512' },
};

function algorithmOf(key: KeyObject): { readonly alg: string; readonly hash: string } {
  if (key.asymmetricKeyType === 'rsa') return { alg: 'RS256', hash: 'sha256' };
  const curve = curves[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (curve === undefined) throw new Error(`keys of type ${key.asymmetricKeyType} can't sign tokens`);
  return curve;
}
