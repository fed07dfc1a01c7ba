/** Parses and verifies signed tokens in the compact form (RFC 7515, 7518, 7519). */
import { constants, verify, type KeyObject } from 'node:crypto';

export interface JsonWebToken {
  readonly algorithm: string;
  /** Empty when the header names no key. */
  readonly keyId: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
  /** Whether the token has critical extensions, none of which is supported. */
  readonly hasCritical: boolean;
}

/** The maximum length of a token; request headers are bounded anyway. */
const tokenCharactersMax = 1024 * 1024;

/** Undefined for anything but three parts with JSON objects in the first two. */
export function parseToken(text: string): JsonWebToken | undefined {
  if (text.length > tokenCharactersMax) return undefined;
  const [head, body, signature, ...more] = text.split('.', 4);
  if (head === undefined || body === undefined || signature === undefined || more.length > 0)
    return undefined;
  const header = decodedObject(head);
  const claims = decodedObject(body);
  const bytes = bytesOf(signature);
  if (header === undefined || claims === undefined || bytes === undefined) return undefined;
  const { alg = '', kid = '' } = header;
  if (typeof alg !== 'string' || typeof kid !== 'string') return undefined;
  return {
    algorithm: alg,
    keyId: kid,
    claims,
    signed: new TextEncoder().encode(`${head}.${body}`),
    signature: bytes,
    hasCritical: needsMore(header),
  };
}

/** Only one critical extension is known (RFC 7515, 4.1.11), and only in the form that changes nothing (RFC 7797). */
function needsMore({ crit, b64 }: Readonly<Record<string, unknown>>): boolean {
  if (b64 !== undefined && b64 !== true) return true;
  return crit !== undefined && !(Array.isArray(crit) && crit.every((name) => name === 'b64'));
}

/** The issuer that a token claims, unverified. */
export function untrustedIssuer(text: string): string | undefined {
  const parts = text.length > tokenCharactersMax ? [] : text.split('.', 4);
  if (parts.length !== 3) return undefined;
  const issuer = decodedObject(parts[1]!)?.['iss'];
  return typeof issuer === 'string' ? issuer : undefined;
}

interface SignatureScheme {
  readonly keyType: 'rsa' | 'ec';
  readonly hash: string;
  readonly padding?: number;
  readonly curve?: string;
}

const pkcs1 = (hash: string): SignatureScheme => ({
  keyType: 'rsa',
  hash,
  padding: constants.RSA_PKCS1_PADDING,
});
const pss = (hash: string): SignatureScheme => ({
  keyType: 'rsa',
  hash,
  padding: constants.RSA_PKCS1_PSS_PADDING,
});
const ecdsa = (hash: string, curve: string): SignatureScheme => ({ keyType: 'ec', hash, curve });

/**
 * Only asymmetric algorithms: verification keys are public, and a token must not be able to have the public key used as
 * a shared secret, or to go without a signature.
 */
const schemes: Readonly<Record<string, SignatureScheme>> = {
  RS256: pkcs1('sha256'),
  RS384: pkcs1('sha384'),
  RS512: pkcs1('sha512'),
  PS256: pss('sha256'),
  PS384: pss('sha384'),
  PS512: pss('sha512'),
  ES256: ecdsa('sha256', 'prime256v1'),
  ES384: ecdsa('sha384', 'secp384r1'),
  ES512: ecdsa('sha512', 'secp521r1'),
};

export const signatureAlgorithms: readonly string[] = Object.keys(schemes).sort();

export function isSignedBy(token: JsonWebToken, key: KeyObject): boolean {
  const { algorithm, signed, signature, hasCritical } = token;
  const scheme = Object.hasOwn(schemes, algorithm) ? schemes[algorithm] : undefined;
  if (scheme === undefined || hasCritical || key.asymmetricKeyType !== scheme.keyType) return false;
  const { hash, padding, curve } = scheme;
  if (curve !== undefined && key.asymmetricKeyDetails?.namedCurve !== curve) return false;
  try {
    return verify(
      hash,
      signed,
      {
        key,
        dsaEncoding: 'ieee-p1363',
        ...(padding === undefined ? {} : { padding }),
        ...(padding === constants.RSA_PKCS1_PSS_PADDING
          ? { saltLength: constants.RSA_PSS_SALTLEN_AUTO }
          : {}),
      },
      signature,
    );
  } catch {
    return false;
  }
}

/** Without padding; other spellings of the same bytes are invalid. */
function bytesOf(base64Url: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(base64Url)) return undefined;
  try {
    return Uint8Array.fromBase64(base64Url, { alphabet: 'base64url' });
  } catch {
    return undefined;
  }
}

function decodedObject(part: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = bytesOf(part);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** `aud`, one string or several. */
export const audiencesOf = ({ aud }: JsonWebToken['claims']): readonly string[] =>
  [aud ?? []].flat().filter((audience) => typeof audience === 'string');

/** A date in seconds, if it is one. */
export const secondsOf = (claim: unknown): number | undefined =>
  typeof claim === 'number' ? claim : undefined;
