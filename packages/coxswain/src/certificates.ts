/**
 * The keys and certificates of an all-in-one cluster: a certificate authority, a serving certificate, a client
 * certificate for the administrator, the key that signs service account tokens, and, of an authority of its own, what
 * the aggregator shows to extension servers. They are made once per data directory; private keys are readable by
 * their owner alone.
 */

import { createPrivateKey, createPublicKey, webcrypto } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import type { Clock } from '@coxswain/apimachinery';
import type { X509Certificate } from '@peculiar/x509';

export interface ClusterCertificates {
  readonly folder: string;
  readonly caCertFile: string;
  readonly caKeyFile: string;
  readonly servingCertFile: string;
  readonly servingKeyFile: string;
  readonly adminCertFile: string;
  readonly adminKeyFile: string;
  /** Who it vouches for may tell an extension server, in headers, whose request it passes on. */
  readonly frontProxyCaCertFile: string;
  readonly frontProxyCaKeyFile: string;
  /** What the aggregator shows to extension servers: {@link frontProxyName}. */
  readonly frontProxyCertFile: string;
  readonly frontProxyKeyFile: string;
  readonly serviceAccountKeyFile: string;
  readonly serviceAccountPublicKeyFile: string;
}

/** The common name of the aggregator, as kubeadm has it. */
export const frontProxyName = 'front-proxy-client';

const fileNames = {
  caCertFile: 'ca.crt',
  caKeyFile: 'ca.key',
  servingCertFile: 'apiserver.crt',
  servingKeyFile: 'apiserver.key',
  adminCertFile: 'admin.crt',
  adminKeyFile: 'admin.key',
  frontProxyCaCertFile: 'front-proxy-ca.crt',
  frontProxyCaKeyFile: 'front-proxy-ca.key',
  frontProxyCertFile: 'front-proxy-client.crt',
  frontProxyKeyFile: 'front-proxy-client.key',
  serviceAccountKeyFile: 'sa.key',
  serviceAccountPublicKeyFile: 'sa.pub',
} as const;

const yearMs = 365 * 24 * 3600 * 1000;
const caLifetimeMs = 10 * yearMs;
const leafLifetimeMs = yearMs;
/** Leaf certificates with less time than this left are made anew at start. */
const renewBeforeMs = 30 * 24 * 3600 * 1000;
/** Certificates begin a little in the past: clocks differ. */
const backdatedMs = 3600 * 1000;

export interface CertificateOptions {
  readonly clock: Clock;
  readonly serviceAddress: string;
  /** Names and addresses by which other machines reach the server. */
  readonly hosts?: readonly string[];
}

/** Reads the certificates in `folder`, and makes those that are missing, about to expire, or for other hosts. */
export async function clusterCertificates(
  folder: string,
  options: CertificateOptions,
): Promise<ClusterCertificates> {
  const files = Object.fromEntries(
    Object.entries(fileNames).map(([key, name]) => [key, path.join(folder, name)]),
  ) as unknown as Omit<ClusterCertificates, 'folder'>;
  const certificates = { folder, ...files };
  if (!(await allUsable(certificates, options))) await make(certificates, options);
  return certificates;
}

async function allUsable(
  files: ClusterCertificates,
  { clock, hosts = [] }: CertificateOptions,
): Promise<boolean> {
  if (!Object.values(fileNames).every((name) => existsSync(path.join(files.folder, name)))) return false;
  const { X509Certificate } = await import('node:crypto');
  for (const file of [files.servingCertFile, files.adminCertFile, files.frontProxyCertFile]) {
    const certificate = new X509Certificate(await readFile(file));
    if (certificate.validToDate.getTime() - clock.now() < renewBeforeMs) return false;
  }
  const serving = new X509Certificate(await readFile(files.servingCertFile));
  return hosts.every((host) => (isIP(host) ? serving.checkIP(host) : serving.checkHost(host)) !== undefined);
}

async function make(
  files: ClusterCertificates,
  { clock, serviceAddress, hosts = [] }: CertificateOptions,
): Promise<void> {
  await mkdir(files.folder, { recursive: true, mode: 0o700 });
  const x509 = await loadX509();
  const authority = await readOrMakeAuthority(files.caCertFile, files.caKeyFile, 'coxswain-ca', x509, clock);
  const issue = issuer(x509, authority, clock);
  await issue(files.servingCertFile, files.servingKeyFile, 'CN=kube-apiserver', 'serverAuth', [
    { type: 'dns', value: 'localhost' },
    { type: 'dns', value: 'kubernetes' },
    { type: 'dns', value: 'kubernetes.default' },
    { type: 'dns', value: 'kubernetes.default.svc' },
    { type: 'dns', value: 'kubernetes.default.svc.cluster.local' },
    { type: 'ip', value: '127.0.0.1' },
    { type: 'ip', value: '::1' },
    { type: 'ip', value: serviceAddress },
    ...hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
  ]);
  await issue(
    files.adminCertFile,
    files.adminKeyFile,
    'CN=kubernetes-admin,O=system:masters',
    'clientAuth',
    [],
  );
  await makeFrontProxy(files, x509, clock);
  if (!existsSync(files.serviceAccountKeyFile)) await makeServiceAccountKey(files);
}

/** Of another authority than that of clients, so that no client can pass for the aggregator. */
async function makeFrontProxy(files: ClusterCertificates, x509: X509, clock: Clock): Promise<void> {
  const { frontProxyCaCertFile, frontProxyCaKeyFile, frontProxyCertFile, frontProxyKeyFile } = files;
  const name = 'coxswain-front-proxy-ca';
  const authority = await readOrMakeAuthority(frontProxyCaCertFile, frontProxyCaKeyFile, name, x509, clock);
  const issue = issuer(x509, authority, clock);
  await issue(frontProxyCertFile, frontProxyKeyFile, `CN=${frontProxyName}`, 'clientAuth', []);
}

type X509 = typeof import('@peculiar/x509');

/** Takes tens of milliseconds to load, and is needed at the first start only. */
async function loadX509(): Promise<X509> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as Crypto);
  return x509;
}

interface Authority {
  readonly certificate: X509Certificate;
  readonly key: CryptoKey;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

const newKeyPair = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

const newSerialNumber = (): string =>
  Buffer.from(webcrypto.getRandomValues(new Uint8Array(16))).toString('hex');

async function readOrMakeAuthority(
  certFile: string,
  keyFile: string,
  name: string,
  x509: X509,
  clock: Clock,
): Promise<Authority> {
  if (existsSync(certFile) && existsSync(keyFile)) {
    const pkcs8 = createPrivateKey(await readFile(keyFile)).export({ type: 'pkcs8', format: 'der' });
    return {
      certificate: new x509.X509Certificate(await readFile(certFile, 'utf8')),
      key: await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
    };
  }
  const keys = await newKeyPair();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: `CN=${name}`,
    notBefore: new Date(clock.now() - backdatedMs),
    notAfter: new Date(clock.now() + caLifetimeMs),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  await writeKey(keyFile, keys.privateKey);
  await writeWhole(certFile, `${certificate.toString('pem')}\n`, 0o644);
  return { certificate, key: keys.privateKey };
}

type Usage = 'serverAuth' | 'clientAuth';
type AlternativeName = { readonly type: 'dns' | 'ip'; readonly value: string };

function issuer(x509: X509, authority: Authority, clock: Clock) {
  return async (
    certFile: string,
    keyFile: string,
    subject: string,
    usage: Usage,
    names: readonly AlternativeName[],
  ): Promise<void> => {
    const keys = await newKeyPair();
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: newSerialNumber(),
      subject,
      issuer: authority.certificate.subject,
      notBefore: new Date(clock.now() - backdatedMs),
      notAfter: new Date(clock.now() + leafLifetimeMs),
      publicKey: keys.publicKey,
      signingKey: authority.key,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[usage]]),
        await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
        ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension([...names])]),
      ],
    });
    await writeKey(keyFile, keys.privateKey);
    await writeWhole(certFile, `${certificate.toString('pem')}\n`, 0o644);
  };
}

async function makeServiceAccountKey(files: ClusterCertificates): Promise<void> {
  const { privateKey } = await newKeyPair();
  await writeKey(files.serviceAccountKeyFile, privateKey);
  const publicKey = createPublicKey(await readFile(files.serviceAccountKeyFile));
  await writeWhole(
    files.serviceAccountPublicKeyFile,
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    0o644,
  );
}

/** SEC1, since some clients cannot read EC keys in PKCS#8. */
async function writeKey(file: string, key: CryptoKey): Promise<void> {
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  const sec1 = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }).export({
    type: 'sec1',
    format: 'pem',
  });
  await writeWhole(file, sec1.toString(), 0o600);
}

/** Writes beside and renames, so that a file is there whole or not at all. */
async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const beside = `${file}.new`;
  await writeFile(beside, text, { mode });
  await rename(beside, file);
}
