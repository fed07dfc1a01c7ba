/** The TLS settings of https URLs, according to the flags. */
import { X509Certificate, randomBytes, webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext, type SecureVersion } from 'node:tls';
import { systemClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { FlagFailure, isTrue, type FlagValues } from './flags.ts';
import type { TlsOptions } from './listen.ts';

const tlsVersions: Readonly<Record<string, SecureVersion>> = { 'TLS1.2': 'TLSv1.2', 'TLS1.3': 'TLSv1.3' };

/** @throws FlagFailure if there is no certificate or a file cannot be read */
export async function servingTls(
  flags: FlagValues,
  directory: string,
  hosts: readonly string[],
): Promise<TlsOptions> {
  const file = (name: string): Buffer | undefined => (flags.get(name) ? read(flags.get(name)!) : undefined);
  const ca = file('trusted-ca-file');
  const crl = file('client-crl-file');
  const allowedHostnames = (flags.get('client-cert-allowed-hostname') ?? '').split(',').filter(Boolean);
  // Checked before a certificate is made, so that a rejected configuration leaves nothing behind.
  const restrictions = { ...versionsOf(flags), ...ciphersOf(flags) };
  const given = { cert: file('cert-file'), key: file('key-file') };
  const { cert, key } = given.cert && given.key ? given : await generated(flags, directory, hosts);
  if (given.cert && given.key) mustBelongTogether(flags, given);
  return {
    cert,
    key,
    ...(ca && { ca }),
    ...(crl && { crl }),
    ...restrictions,
    clientCertificates: isTrue(flags.get('client-cert-auth')) || ca !== undefined,
    allowedHostnames,
  };
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (failure) {
    throw new FlagFailure(messageOf(failure));
  }
}

/** @throws Error that names the files */
function mustBelongTogether(
  flags: FlagValues,
  pair: { readonly cert?: Buffer; readonly key?: Buffer },
): void {
  try {
    createSecureContext(pair);
  } catch (cause) {
    const [cert, key] = [flags.get('cert-file'), flags.get('key-file')];
    throw new Error(`${cert} and ${key} are not a certificate and its key: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function versionsOf(flags: FlagValues): Pick<TlsOptions, 'minVersion' | 'maxVersion'> {
  const [min = '', max = ''] = [flags.get('tls-min-version'), flags.get('tls-max-version')];
  for (const version of [min, max]) {
    if (version !== '' && tlsVersions[version] === undefined)
      throw new FlagFailure(`unexpected TLS version "${version}", should be one of TLS1.2, TLS1.3`);
  }
  return {
    ...(min && { minVersion: tlsVersions[min] }),
    ...(max && { maxVersion: tlsVersions[max] }),
  };
}

/**
 * `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` is OpenSSL's `ECDHE-RSA-AES128-GCM-SHA256`; names of TLS 1.3 are the same.
 */
function ciphersOf(flags: FlagValues): Pick<TlsOptions, 'ciphers'> {
  const suites = flags.get('cipher-suites') ?? '';
  if (suites === '') return {};
  const names = suites.split(',').map((suite) => {
    if (!suite.startsWith('TLS_')) throw new FlagFailure(`unexpected TLS cipher suite "${suite}"`);
    if (!suite.includes('_WITH_')) return suite;
    return suite
      .slice('TLS_'.length)
      .replace('_WITH_', '_')
      .replace(/AES_(\d+)/, 'AES$1')
      .replace(/(CHACHA20_POLY1305)_SHA256/, '$1')
      .replace(/^RSA_/, '')
      .replaceAll('_', '-');
  });
  return { ciphers: names.join(':') };
}

/** The clocks of clients may be slow. */
const backdatedMs = 60_000;
const yearMs = 365 * 24 * 3600 * 1000;

/** A self-signed certificate, stored beside the data. */
async function generated(
  flags: FlagValues,
  directory: string,
  hosts: readonly string[],
): Promise<{ readonly cert: Buffer | string; readonly key: Buffer | string }> {
  if (!isTrue(flags.get('auto-tls')))
    throw new FlagFailure('TLS key/cert must be provided for a URL with HTTPS scheme (or --auto-tls)');
  const certificates = join(directory, 'fixtures', 'client');
  const [certFile, keyFile] = [join(certificates, 'cert.pem'), join(certificates, 'key.pem')];
  if (existsSync(certFile) && existsSync(keyFile)) {
    const kept = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    if (Date.parse(new X509Certificate(kept.cert).validTo) > systemClock.now()) return kept;
  }
  const made = await selfSigned(hosts, Number(flags.get('self-signed-cert-validity')) * yearMs);
  mkdirSync(certificates, { recursive: true, mode: 0o700 });
  writeFileSync(certFile, made.cert, { mode: 0o600 });
  writeFileSync(keyFile, made.key, { mode: 0o600 });
  return made;
}

async function selfSigned(
  hosts: readonly string[],
  lifetimeMs: number,
): Promise<{ readonly cert: string; readonly key: string }> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as Crypto);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = [...new Set([...hosts, 'localhost', '127.0.0.1'])].map((value) => ({
    type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const),
    value,
  }));
  const nowMs = systemClock.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'O=etcd',
    serialNumber: randomBytes(8).toString('hex'),
    notBefore: new Date(nowMs - backdatedMs),
    notAfter: new Date(nowMs + lifetimeMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names),
    ],
  });
  const key = x509.PemConverter.encode(
    await webcrypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  );
  return { cert: certificate.toString('pem'), key };
}
