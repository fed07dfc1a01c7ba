/** A certificate authority stored in two files, and the elliptic-curve keys of this program. */

import { createPublicKey, KeyObject, webcrypto } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Clock } from '@coxswain/apimachinery';
import { writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import type { X509Certificate } from '@peculiar/x509';
import { isCurrent, readCertificate, readPrivateKey } from './usable-certificates.ts';

const authorityLifetimeMs = 10 * 365 * 24 * 3600 * 1000;
/** Certificates are backdated a little because clocks differ. */
export const backdatedMs = 3600 * 1000;

export type X509 = typeof import('@peculiar/x509');

/** Takes tens of milliseconds to load, and is needed only on the first start. */
export async function loadX509(): Promise<X509> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as Crypto);
  return x509;
}

export interface Authority {
  readonly certificate: X509Certificate;
  readonly key: CryptoKey;
}

export const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export const newKeyPair = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

export const newSerialNumber = (): string =>
  Buffer.from(webcrypto.getRandomValues(new Uint8Array(16))).toString('hex');

export interface AuthorityFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** The authority's common name. */
  readonly name: string;
}

/**
 * Replaces a certificate that is not currently valid by a new one for the same key, so that what it signed remains
 * valid.
 */
export async function readOrMakeAuthority(
  files: AuthorityFiles,
  x509: X509,
  clock: Clock,
): Promise<Authority> {
  const { certFile, keyFile } = files;
  if (!existsSync(certFile) || !existsSync(keyFile)) return makeAuthority(files, x509, clock);
  const known = readCertificate(certFile);
  const privateKey = readPrivateKey(keyFile);
  if (!known.checkPrivateKey(privateKey))
    throw new Error(`${certFile} does not match the key ${keyFile}: restore a matching pair`);
  const keys = await pairOf(privateKey);
  if (!isCurrent(known, clock)) return signItself(files, x509, clock, keys);
  return { certificate: new x509.X509Certificate(known.raw), key: keys.privateKey };
}

async function makeAuthority(files: AuthorityFiles, x509: X509, clock: Clock): Promise<Authority> {
  const keys = await newKeyPair();
  writeKey(files.keyFile, KeyObject.from(keys.privateKey));
  return signItself(files, x509, clock, keys);
}

async function signItself(
  files: AuthorityFiles,
  x509: X509,
  clock: Clock,
  keys: webcrypto.CryptoKeyPair,
): Promise<Authority> {
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: `CN=${files.name}`,
    notBefore: new Date(clock.now() - backdatedMs),
    notAfter: new Date(clock.now() + authorityLifetimeMs),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  writePrivateFile(files.certFile, `${certificate.toString('pem')}\n`);
  return { certificate, key: keys.privateKey };
}

/** Writes SEC1, since some clients cannot read EC keys in PKCS#8. */
export const writeKey = (file: string, key: KeyObject): void =>
  writePrivateFile(file, key.export({ type: 'sec1', format: 'pem' }).toString());

async function pairOf(privateKey: KeyObject): Promise<webcrypto.CryptoKeyPair> {
  const imported = (key: KeyObject, usage: 'sign' | 'verify') =>
    webcrypto.subtle.importKey('jwk', key.export({ format: 'jwk' }), algorithm, true, [usage]);
  return {
    privateKey: await imported(privateKey, 'sign'),
    publicKey: await imported(createPublicKey(privateKey), 'verify'),
  };
}
