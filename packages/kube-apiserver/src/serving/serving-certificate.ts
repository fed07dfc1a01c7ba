/** The server's certificate: the configured one, or one that it generates and keeps. */
import { webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { openError } from '../open-error.ts';

export interface ServingCertificateSettings {
  readonly certDir?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly bindAddress?: string;
  readonly advertiseAddress?: string;
}

export interface ServingCertificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const lifetimeMs = 365 * 24 * 3600 * 1000;
/** Allows for clock skew. */
const backdatedMs = 3600 * 1000;

/** @throws Error that names the file that is missing, unreadable or doesn't match the other */
export async function servingCertificate(settings: ServingCertificateSettings): Promise<ServingCertificate> {
  const files = servingFiles(settings);
  if (
    files !== undefined &&
    (settings.tlsCertFile !== undefined || files.every((file) => existsSync(file)))
  ) {
    return readPair(...files);
  }
  const made = await selfSigned(settings);
  if (files !== undefined) writePair(files, made);
  return made;
}

/** The configured certificate and key files, or those of `certDir`; none if the certificate is not kept. */
export function servingFiles({
  tlsCertFile,
  tlsPrivateKeyFile,
  certDir,
}: ServingCertificateSettings): readonly [certFile: string, keyFile: string] | undefined {
  if (tlsCertFile !== undefined || tlsPrivateKeyFile !== undefined) {
    if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
      throw new Error('missing filename for serving cert');
    }
    return [tlsCertFile, tlsPrivateKeyFile];
  }
  if (certDir === undefined) return undefined;
  return [path.join(certDir, 'apiserver.crt'), path.join(certDir, 'apiserver.key')];
}

function readPair(certFile: string, keyFile: string): ServingCertificate {
  const pair = { cert: readFileOrThrow(certFile), key: readFileOrThrow(keyFile) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new Error(`${certFile} and ${keyFile} are not a certificate and its key: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return pair;
}

function readFileOrThrow(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw openError('open', file, error);
  }
}

function writePair([certFile, keyFile]: readonly [string, string], { cert, key }: ServingCertificate): void {
  try {
    mkdirSync(path.dirname(certFile), { recursive: true, mode: 0o755 });
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(certFile, cert, { mode: 0o644 });
  } catch (error) {
    const { code, path: at } = error as NodeJS.ErrnoException;
    throw new Error(`can't write the serving certificate to ${at}: ${code}; choose another --cert-dir`, {
      cause: error,
    });
  }
}

/**
 * Signed by an authority whose key is discarded and whose certificate comes second: verifiers such as rustls refuse a
 * certificate that is both an authority's and a server's.
 */
async function selfSigned({
  bindAddress,
  advertiseAddress,
}: ServingCertificateSettings): Promise<ServingCertificate> {
  // Loading it takes tens of milliseconds, so it is loaded only when needed.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as Crypto);
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const newKeys = () => webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const [authorityKeys, keys] = await Promise.all([newKeys(), newKeys()]);
  const nowMs = Date.now();
  const life = { notBefore: new Date(nowMs - backdatedMs), notAfter: new Date(nowMs + lifetimeMs) };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...life,
    name: `CN=kube-apiserver-ca@${Math.floor(nowMs / 1000)}`,
    serialNumber: newSerialNumber(),
    signingAlgorithm,
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const names = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  const addresses = new Set(
    ['127.0.0.1', bindAddress, advertiseAddress].filter((one) => one && one !== '0.0.0.0'),
  );
  const certificate = await x509.X509CertificateGenerator.create({
    ...life,
    subject: 'CN=kube-apiserver',
    issuer: authority.subject,
    serialNumber: newSerialNumber(),
    signingAlgorithm,
    signingKey: authorityKeys.privateKey,
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...names.map((value) => ({ type: 'dns' as const, value })),
        ...[...addresses].map((value) => ({ type: 'ip' as const, value: value! })),
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    cert: `${certificate.toString('pem')}\n${authority.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${key.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----\n`,
  };
}

const newSerialNumber = (): string =>
  Buffer.from(webcrypto.getRandomValues(new Uint8Array(8))).toString('hex');

/** The last certificate of a chain, which clients are to trust. */
export const authorityIn = (chain: string): string =>
  chain.slice(chain.lastIndexOf('-----BEGIN CERTIFICATE-----'));
