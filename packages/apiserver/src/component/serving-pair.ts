/** A component's serving certificate: the configured one, or one that it generates. */
import { webcrypto } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ServingSettings } from './serving-settings.ts';

/** PEM. */
export interface ServingPair {
  readonly cert: string;
  readonly key: string;
}

type PairSettings = Pick<ServingSettings, 'tlsCertFile' | 'tlsPrivateKeyFile' | 'certDir' | 'bindAddress'>;

const lifetimeMs = 365 * 24 * 3600 * 1000;
/** Allows for clock skew. */
const backdatedMs = 3600 * 1000;

/**
 * @param name base name of the files in `certDir`, without `.crt` and `.key`
 * @throws Error for a file that can't be read or written
 */
export async function servingPair(name: string, settings: PairSettings): Promise<ServingPair> {
  const { tlsCertFile, tlsPrivateKeyFile, certDir, bindAddress } = settings;
  if (tlsCertFile !== '' || tlsPrivateKeyFile !== '') {
    if (tlsCertFile === '' || tlsPrivateKeyFile === '') throw new Error('missing filename for serving cert');
    return readPair(tlsCertFile, tlsPrivateKeyFile);
  }
  if (certDir === '') return selfSigned(bindAddress);
  const files = [path.join(certDir, `${name}.crt`), path.join(certDir, `${name}.key`)] as const;
  if (files.every((file) => existsSync(file))) return readPair(...files);
  const made = await selfSigned(bindAddress);
  writePair(files, made);
  return made;
}

function readPair(certFile: string, keyFile: string): ServingPair {
  const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  try {
    createSecureContext(pair);
  } catch (cause) {
    const message = messageOf(cause);
    throw new Error(`${certFile} and ${keyFile} are not a certificate and its key: ${message}`, { cause });
  }
  return pair;
}

/** Sets upstream's file modes, whatever the umask is. */
function writePair([certFile, keyFile]: readonly [string, string], { cert, key }: ServingPair): void {
  try {
    mkdirSync(path.dirname(certFile), { recursive: true, mode: 0o755 });
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(certFile, cert, { mode: 0o644 });
  } catch (cause) {
    throw new Error(`error creating self-signed certificates: ${messageOf(cause)}`, { cause });
  }
}

async function selfSigned(bindAddress: string): Promise<ServingPair> {
  // Loading it takes tens of milliseconds, so it is loaded only when needed.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as Crypto);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const addresses = new Set(['127.0.0.1', bindAddress].filter((one) => one !== '0.0.0.0' && one !== '::'));
  const nowMs = Date.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=localhost@${Math.floor(nowMs / 1000)}`,
    notBefore: new Date(nowMs - backdatedMs),
    notAfter: new Date(nowMs + lifetimeMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment,
        true,
      ),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        ...[...addresses].map((value) => ({ type: 'ip' as const, value })),
      ]),
    ],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}
