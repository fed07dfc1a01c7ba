/** Signs certificate requests: subject and names come from the client, everything else from the authority. */
import type { SigningPair } from '../settings.ts';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Extension, KeyUsageFlags } from '@peculiar/x509';
import { loadX509, type X509 } from './load-x509.ts';
import type { RequestedSubject } from './requested-subject.ts';
import { inGoOrder } from './subject-order.ts';

export interface SignOptions {
  readonly usages: readonly string[];
  readonly lifetimeMs: number;
  readonly nowMs: number;
}

/** Allows for clock differences. */
const backdatedMs = 5 * 60_000;
/** Certificates with a shorter lifetime are not shortened by the backdating. */
const shortMs = 8 * 3_600_000;
const serialBytes = 16;

/**
 * @returns PEM
 * @throws Error if the request isn't signed with its key, or the authority has expired
 */
export async function signCertificate(
  pair: SigningPair,
  { pkcs10, names }: RequestedSubject,
  { usages, lifetimeMs, nowMs }: SignOptions,
): Promise<string> {
  const x509 = await loadX509();
  if (!(await pkcs10.verify())) throw new Error('unable to verify certificate request signature');
  const authority = new x509.X509Certificate(pair.certificate);
  const { signingKey, signingAlgorithm } = await importKey(createPrivateKey(pair.key));
  const authorityEndMs = authority.notAfter.getTime();
  if (nowMs >= authorityEndMs) {
    throw new Error(`the signer has expired: NotAfter=${authority.notAfter.toISOString()}`);
  }
  const endMs = nowMs + (lifetimeMs < shortMs ? lifetimeMs : lifetimeMs - backdatedMs);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: Buffer.from(crypto.getRandomValues(new Uint8Array(serialBytes))).toString('hex'),
    subject: inGoOrder(pkcs10.subjectName),
    issuer: authority.subjectName,
    notBefore: new Date(nowMs - backdatedMs),
    notAfter: new Date(Math.min(endMs, authorityEndMs)),
    publicKey: pkcs10.publicKey,
    signingKey,
    signingAlgorithm,
    extensions: [
      ...usageExtensions(x509, usages),
      new x509.BasicConstraintsExtension(false, undefined, true),
      ...authorityIdentifier(x509, authority),
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension([...names])]),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

function authorityIdentifier(x509: X509, authority: InstanceType<X509['X509Certificate']>): Extension[] {
  const identifier = authority.getExtension(x509.SubjectKeyIdentifierExtension);
  return identifier === null ? [] : [new x509.AuthorityKeyIdentifierExtension(identifier.keyId)];
}

const keyUsages: Readonly<Record<string, keyof typeof KeyUsageFlags>> = {
  signing: 'digitalSignature',
  'digital signature': 'digitalSignature',
  'content commitment': 'nonRepudiation',
  'key encipherment': 'keyEncipherment',
  'key agreement': 'keyAgreement',
  'data encipherment': 'dataEncipherment',
  'cert sign': 'keyCertSign',
  'crl sign': 'cRLSign',
  'encipher only': 'encipherOnly',
  'decipher only': 'decipherOnly',
};

const extendedUsages: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

function usageExtensions(x509: X509, usages: readonly string[]): Extension[] {
  const flags = usages.reduce((all, usage) => {
    const flag = keyUsages[usage];
    return flag === undefined ? all : all | x509.KeyUsageFlags[flag];
  }, 0);
  const extended = [...new Set(usages.flatMap((usage) => extendedUsages[usage] ?? []))].sort();
  return [
    ...(flags === 0 ? [] : [new x509.KeyUsagesExtension(flags, true)]),
    ...(extended.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension(extended)]),
  ];
}

interface ImportedKey {
  readonly signingKey: CryptoKey;
  readonly signingAlgorithm: ReturnType<typeof algorithmOf>;
}

const curves: Readonly<Record<string, readonly [namedCurve: string, hash: string]>> = {
  prime256v1: ['P-256', 'SHA-256'],
  secp384r1: ['P-384', 'SHA-384'],
  secp521r1: ['P-521', 'SHA-512'],
};

async function importKey(key: KeyObject): Promise<ImportedKey> {
  const algorithm = algorithmOf(key);
  const bytes = key.export({ type: 'pkcs8', format: 'der' });
  const signingKey = await crypto.subtle.importKey('pkcs8', new Uint8Array(bytes), algorithm, false, [
    'sign',
  ]);
  return { signingKey, signingAlgorithm: algorithm };
}

function algorithmOf(key: KeyObject) {
  if (key.asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (key.asymmetricKeyType === 'ed25519') return { name: 'Ed25519', hash: 'SHA-512' };
  const [namedCurve, hash] = curves[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? [];
  if (namedCurve === undefined || hash === undefined) {
    throw new Error(`keys of type ${key.asymmetricKeyType} can't sign certificates`);
  }
  return { name: 'ECDSA', namedCurve, hash };
}
