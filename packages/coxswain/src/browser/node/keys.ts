/** Keys on the NIST curves with the interface of `node:crypto`, which sign and verify service account tokens. */

import { p256, p384, p521 } from '@noble/curves/nist.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer';
import { base64Url } from './base64-url.ts';

const curves = {
  prime256v1: { curve: p256, jwkName: 'P-256', oid: '06082a8648ce3d030107' },
  secp384r1: { curve: p384, jwkName: 'P-384', oid: '06052b81040022' },
  secp521r1: { curve: p521, jwkName: 'P-521', oid: '06052b81040023' },
};

type CurveName = keyof typeof curves;

const curveNames = Object.keys(curves) as CurveName[];

const digests = { sha256, sha384, sha512 };

/** The object identifier 1.2.840.10045.2.1, an elliptic curve key. */
const ecPublicKey = '06072a8648ce3d0201';

export class KeyObject {
  readonly type: 'private' | 'public';
  readonly asymmetricKeyType = 'ec';
  readonly asymmetricKeyDetails: { readonly namedCurve: CurveName };
  readonly #bytes: Uint8Array;

  constructor(type: 'private' | 'public', namedCurve: CurveName, bytes: Uint8Array) {
    this.type = type;
    this.asymmetricKeyDetails = { namedCurve };
    this.#bytes = bytes;
  }

  /** The scalar of a private key, or the uncompressed point of a public key. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get #curve() {
    return curves[this.asymmetricKeyDetails.namedCurve];
  }

  get publicBytes(): Uint8Array {
    return this.type === 'public' ? this.#bytes : this.#curve.curve.getPublicKey(this.#bytes, false);
  }

  export({ format, type }: { format: 'jwk' | 'der' | 'pem'; type?: 'spki' | 'pkcs8' }): unknown {
    if (format === 'jwk') return jwkOf(this.#curve.jwkName, this.publicBytes);
    const der = type === 'pkcs8' ? this.#pkcs8() : this.#spki();
    return format === 'der' ? der : pemOf(type === 'pkcs8' ? 'PRIVATE KEY' : 'PUBLIC KEY', der);
  }

  equals(other: KeyObject): boolean {
    return Buffer.from(this.#bytes).equals(Buffer.from(other.bytes));
  }

  #algorithm(): Buffer {
    return element(0x30, Buffer.from(ecPublicKey + this.#curve.oid, 'hex'));
  }

  #spki(): Buffer {
    const bits = element(0x03, Buffer.concat([Buffer.of(0), this.publicBytes]));
    return element(0x30, Buffer.concat([this.#algorithm(), bits]));
  }

  #pkcs8(): Buffer {
    const inner = element(0x30, Buffer.concat([Buffer.of(2, 1, 1), element(0x04, Buffer.from(this.#bytes))]));
    return element(0x30, Buffer.concat([Buffer.of(2, 1, 0), this.#algorithm(), element(0x04, inner)]));
  }
}

/** Encodes a DER element. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const pemOf = (label: string, der: Buffer): string => {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
};

function jwkOf(crv: string, point: Uint8Array): object {
  const half = (point.length - 1) / 2;
  const [x, y] = [point.subarray(1, 1 + half), point.subarray(1 + half)];
  const text = (bytes: Uint8Array) => base64Url(Buffer.from(bytes));
  return { kty: 'EC', x: text(x), y: text(y), crv };
}

type KeyInput =
  | string
  | Uint8Array
  | KeyObject
  | { readonly key: string | Uint8Array; readonly format?: string };

/** @throws Error for anything that is not a key on one of these curves */
export function createPrivateKey(input: KeyInput): KeyObject {
  const der = derOf(input);
  const hex = der.toString('hex');
  const namedCurve = curveNames.find((name) => hex.includes(curves[name].oid));
  const size = namedCurve && curves[namedCurve].curve.lengths.secretKey!;
  // The scalar is the first octet string of its length (RFC 5915).
  const at = size === undefined ? -1 : der.indexOf(Buffer.of(2, 1, 1, 4, size));
  if (namedCurve === undefined || at < 0) throw unsupported();
  return new KeyObject('private', namedCurve, der.subarray(at + 5, at + 5 + size!));
}

/** @throws Error for anything that is not a key on one of these curves */
export function createPublicKey(input: KeyInput): KeyObject {
  if (input instanceof KeyObject)
    return new KeyObject('public', input.asymmetricKeyDetails.namedCurve, input.publicBytes);
  const der = derOf(input);
  const hex = der.toString('hex');
  const namedCurve = curveNames.find((name) => hex.includes(ecPublicKey + curves[name].oid));
  if (namedCurve === undefined) throw unsupported();
  if (hex.includes('020101')) return createPublicKey(createPrivateKey(input));
  return new KeyObject(
    'public',
    namedCurve,
    der.subarray(-curves[namedCurve].curve.lengths.publicKeyUncompressed!),
  );
}

const unsupported = (): Error => new Error('in a browser keys are EC keys on P-256, P-384 or P-521');

/** @throws Error for text that is not PEM */
export function derOf(input: KeyInput): Buffer {
  const key = typeof input === 'object' && 'key' in input ? input.key : input;
  if (key instanceof Uint8Array) return Buffer.from(key);
  if (typeof key !== 'string') throw unsupported();
  const body = /-----BEGIN [^-]+-----([\s\S]+?)-----END/.exec(key)?.[1];
  if (body === undefined) throw unsupported();
  return Buffer.from(body.replaceAll(/\s/g, ''), 'base64');
}

export function generateKeyPairSync(
  type: 'ec',
  { namedCurve }: { namedCurve: string },
): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  const name = curveNames.find((curve) => curve === namedCurve || curves[curve].jwkName === namedCurve);
  if (type !== 'ec' || name === undefined) throw unsupported();
  const privateKey = new KeyObject('private', name, curves[name].curve.utils.randomSecretKey());
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

interface SigningKey {
  readonly key: KeyObject;
}

/** Returns the signature in the `ieee-p1363` encoding: both numbers concatenated. */
export function sign(hash: string, bytes: Uint8Array, { key }: SigningKey): Uint8Array {
  const { curve } = curves[key.asymmetricKeyDetails.namedCurve];
  return curve.sign(digestOf(hash, bytes), key.bytes, { prehash: false });
}

export function verify(hash: string, bytes: Uint8Array, { key }: SigningKey, signature: Uint8Array): boolean {
  const { curve } = curves[key.asymmetricKeyDetails.namedCurve];
  return curve.verify(signature, digestOf(hash, bytes), key.publicBytes, { prehash: false, lowS: false });
}

const digestOf = (hash: string, bytes: Uint8Array): Uint8Array =>
  digests[hash as keyof typeof digests](bytes);
