/** Parses a certificate signing request (PKCS #10), and verifies that the requestor has the key. */

import { nodeCrypto, readPublicKey, type KeyObject } from '../meta/node-crypto.ts';
import {
  bitString,
  DerError,
  integer,
  objectIdentifier,
  oidText,
  readElement,
  sequenceOf,
  syntaxError,
} from './der.ts';

export interface Pkcs10 {
  /** The signed part. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
  readonly algorithm: string;
  /** Undefined if keys cannot be parsed here; null for an unknown algorithm. */
  readonly publicKey: KeyObject | null | undefined;
}

/** @throws DerError with Go's message */
export function readPkcs10(der: Uint8Array): Pkcs10 {
  const whole = readElement(der, 0, sequenceOf('certificateRequest'));
  const signed = readElement(whole.content, 0, sequenceOf('tbsCertificateRequest'));
  const keyInfo = readKeyInfo(signed.content);
  const algorithm = readElement(whole.content, signed.end, sequenceOf('AlgorithmIdentifier'));
  const oid = readElement(algorithm.content, 0, objectIdentifier);
  const signature = readElement(whole.content, algorithm.end, bitString);
  if (whole.end < der.length) throw syntaxError('trailing data');
  return {
    signed: signed.whole,
    signature: signature.content.subarray(1),
    algorithm: oidText(oid.content),
    publicKey: publicKeyOf(keyInfo),
  };
}

interface KeyInfo {
  readonly whole: Uint8Array;
  readonly algorithm: string;
}

function readKeyInfo(signed: Uint8Array): KeyInfo {
  const version = readElement(signed, 0, integer);
  const subject = readElement(signed, version.end);
  const info = readElement(signed, subject.end, sequenceOf('publicKeyInfo'));
  const algorithm = readElement(info.content, 0, sequenceOf('AlgorithmIdentifier'));
  const oid = readElement(algorithm.content, 0, objectIdentifier);
  readElement(info.content, algorithm.end, bitString);
  readElement(signed, info.end);
  return { whole: info.whole, algorithm: oidText(oid.content) };
}

const keyAlgorithms = new Set([
  '1.2.840.113549.1.1.1',
  '1.2.840.10045.2.1',
  '1.2.840.10040.4.1',
  '1.3.101.110',
  '1.3.101.112',
]);

function publicKeyOf({ whole, algorithm }: KeyInfo): KeyObject | null | undefined {
  if (!keyAlgorithms.has(algorithm)) return null;
  if (nodeCrypto() === undefined) return undefined;
  const key = readPublicKey(whole);
  if (key === undefined) throw new DerError('x509: malformed public key');
  return key;
}

interface SignatureAlgorithm {
  readonly name: string;
  readonly key: 'rsa' | 'ec' | 'ed25519';
  readonly hash: string | null;
}

const rsa = (name: string, hash: string): SignatureAlgorithm => ({ name, key: 'rsa', hash });
const ecdsa = (name: string, hash: string): SignatureAlgorithm => ({ name, key: 'ec', hash });

const signatureAlgorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.113549.1.1.4': rsa('MD5-RSA', 'md5'),
  '1.2.840.113549.1.1.5': rsa('SHA1-RSA', 'sha1'),
  '1.2.840.113549.1.1.11': rsa('SHA256-RSA', 'sha256'),
  '1.2.840.113549.1.1.12': rsa('SHA384-RSA', 'sha384'),
  '1.2.840.113549.1.1.13': rsa('SHA512-RSA', 'sha512'),
  '1.2.840.10045.4.1': ecdsa('ECDSA-SHA1', 'sha1'),
  '1.2.840.10045.4.3.2': ecdsa('ECDSA-SHA256', 'sha256'),
  '1.2.840.10045.4.3.3': ecdsa('ECDSA-SHA384', 'sha384'),
  '1.2.840.10045.4.3.4': ecdsa('ECDSA-SHA512', 'sha512'),
  '1.3.101.112': { name: 'Ed25519', key: 'ed25519', hash: null },
};

const algorithmNames = { rsa: 'RSA', ec: 'ECDSA', ed25519: 'Ed25519' } as const;
const goKeyTypes: Readonly<Record<string, string>> = {
  rsa: '*rsa.PublicKey',
  ec: '*ecdsa.PublicKey',
  ed25519: 'ed25519.PublicKey',
};
const failures = {
  rsa: 'crypto/rsa: verification error',
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
} as const;

/** The problem of the signature. RSA-PSS signatures are accepted without verification. */
export function signatureProblem({ signed, signature, algorithm, publicKey }: Pkcs10): string | undefined {
  const crypto = nodeCrypto();
  if (crypto === undefined || publicKey === undefined || algorithm === pss) return undefined;
  const found = signatureAlgorithms[algorithm];
  const type = publicKey?.asymmetricKeyType ?? '';
  const unknown = 'x509: cannot verify signature: algorithm unimplemented';
  if (found === undefined) return unknown;
  if (found.hash === 'md5') return `x509: cannot verify signature: insecure algorithm ${found.name}`;
  if (publicKey === null || !(type in goKeyTypes)) return unknown;
  if (found.key !== type) {
    return `x509: signature algorithm specifies an ${algorithmNames[found.key]} public key, but have public key of type ${goKeyTypes[type]}`;
  }
  return crypto.verify(found.hash, signed, publicKey, signature) ? undefined : failures[found.key];
}

const pss = '1.2.840.113549.1.1.10';
