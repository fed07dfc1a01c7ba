/**
 * Issues an authority for webhooks, and a serving certificate signed by it, in the form in which a Secret stores them.
 */

import { isIP } from 'node:net';
import { createPrivateKey, KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';

/** PEM, with the keys of Secrets of type `kubernetes.io/tls` and those that cert-manager adds. */
export interface CertificateData {
  /** The authority, and the previous one as long as it is valid, so that servers with either are trusted. */
  readonly 'ca.crt': string;
  readonly 'ca.key': string;
  readonly 'tls.crt': string;
  readonly 'tls.key': string;
}

/** DNS names and addresses. */
export type Names = readonly [string, ...string[]];

export type AuthorityData = Pick<CertificateData, 'ca.crt' | 'ca.key'>;

const dayMs = 24 * 3_600_000;
export const authorityLifetimeMs = 3650 * dayMs;
export const certificateLifetimeMs = 365 * dayMs;
/** Certificates are backdated a little because clocks differ. */
const backdatedMs = 3_600_000;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Takes tens of milliseconds to load, and is needed once a year. */
async function loadX509() {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as Crypto);
  return x509;
}

/** @param name the common name */
export const newAuthority = (name: string, nowMs: number): Promise<AuthorityData> =>
  inWallTime(async () => {
    const x509 = await loadX509();
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: newSerialNumber(),
      name: `CN=${name}`,
      ...validity(nowMs, authorityLifetimeMs),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature,
          true,
        ),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return { 'ca.crt': pem(certificate), 'ca.key': await keyPem(keys.privateKey) };
  });

/** @param names the names of the server; the first becomes the common name */
export const newCertificate = (
  authority: AuthorityData,
  names: Names,
  nowMs: number,
): Promise<CertificateData> =>
  inWallTime(async () => {
    const x509 = await loadX509();
    // The first certificate of a bundle.
    const issuer = new x509.X509Certificate(new X509Certificate(authority['ca.crt']).raw);
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: newSerialNumber(),
      // The common name is limited to 64 characters; clients use the names below.
      subject: new x509.Name([{ CN: [{ utf8String: names[0].slice(0, 64) }] }]).toString(),
      issuer: issuer.subject,
      ...validity(nowMs, certificateLifetimeMs),
      publicKey: keys.publicKey,
      signingKey: await signingKey(authority['ca.key']),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
        ),
      ],
    });
    return { ...authority, 'tls.crt': pem(certificate), 'tls.key': await keyPem(keys.privateKey) };
  });

const validity = (nowMs: number, lifetimeMs: number) => ({
  notBefore: new Date(nowMs - backdatedMs),
  notAfter: new Date(nowMs + lifetimeMs),
});

const pem = (certificate: { toString(format: 'pem'): string }): string => `${certificate.toString('pem')}\n`;

const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

const newSerialNumber = (): string =>
  Buffer.from(webcrypto.getRandomValues(new Uint8Array(16))).toString('hex');

const keyPem = async (key: CryptoKey): Promise<string> =>
  KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();

const signingKey = (key: string): Promise<CryptoKey> =>
  webcrypto.subtle.importKey('jwk', createPrivateKey(key).export({ format: 'jwk' }), algorithm, false, [
    'sign',
  ]);
