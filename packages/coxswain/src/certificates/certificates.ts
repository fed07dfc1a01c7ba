/**
 * The keys and certificates of an all-in-one cluster: a certificate authority, a serving certificate, a client
 * certificate for the administrator, the key that signs service account tokens, and, from a separate authority, the
 * client certificate of the aggregator. They are created once per data directory and readable only by their owner.
 */

import { createPublicKey, KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import type { Clock } from '@coxswain/apimachinery';
import {
  keepPrivate,
  makePrivateDirectory,
  writePrivateFile,
} from '@coxswain/storage/directory/private-files.ts';
import {
  algorithm,
  backdatedMs,
  loadX509,
  newKeyPair,
  newSerialNumber,
  readOrMakeAuthority,
  writeKey,
  type Authority,
  type X509,
} from './certificate-authority.ts';
import { areUsable, readPrivateKey } from './usable-certificates.ts';
import type { CertificateFiles } from './certificate-files.ts';

export interface ClusterCertificates extends CertificateFiles {
  readonly directory: string;
}

/** The common name of the aggregator, as in kubeadm's clusters. */
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

const leafLifetimeMs = 365 * 24 * 3600 * 1000;

export interface CertificateOptions {
  readonly clock: Clock;
  readonly serviceAddress: string;
  /** Names and addresses by which other machines reach the server. */
  readonly hosts?: readonly string[];
}

/**
 * Reads the certificates in `directory`, and creates those that are missing, about to expire, or issued for other hosts.
 * @throws Error naming the file that cannot be read, has other contents, or cannot be written
 */
export async function clusterCertificates(
  directory: string,
  options: CertificateOptions,
): Promise<ClusterCertificates> {
  const files = Object.fromEntries(
    Object.entries(fileNames).map(([key, name]) => [key, path.join(directory, name)]),
  ) as unknown as CertificateFiles;
  const certificates = { directory, ...files };
  if (existsSync(directory)) keepPrivate(directory, /./);
  if (!areUsable(files, options.clock, options.hosts ?? [])) await make(certificates, options);
  return certificates;
}

async function make(
  files: ClusterCertificates,
  { clock, serviceAddress, hosts = [] }: CertificateOptions,
): Promise<void> {
  makePrivateDirectory(files.directory);
  const x509 = await loadX509();
  const { caCertFile: certFile, caKeyFile: keyFile } = files;
  const authority = await readOrMakeAuthority({ certFile, keyFile, name: 'coxswain-ca' }, x509, clock);
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
  await makeServiceAccountKeys(files);
}

/** The authority differs from the one for clients, so that no client can pass for the aggregator. */
async function makeFrontProxy(files: ClusterCertificates, x509: X509, clock: Clock): Promise<void> {
  const { frontProxyCaCertFile: certFile, frontProxyCaKeyFile: keyFile } = files;
  const name = 'coxswain-front-proxy-ca';
  const authority = await readOrMakeAuthority({ certFile, keyFile, name }, x509, clock);
  const issue = issuer(x509, authority, clock);
  const { frontProxyCertFile, frontProxyKeyFile } = files;
  await issue(frontProxyCertFile, frontProxyKeyFile, `CN=${frontProxyName}`, 'clientAuth', []);
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
    writeKey(keyFile, KeyObject.from(keys.privateKey));
    writePrivateFile(certFile, `${certificate.toString('pem')}\n`);
  };
}

async function makeServiceAccountKeys(files: ClusterCertificates): Promise<void> {
  const { serviceAccountKeyFile: file, serviceAccountPublicKeyFile: publicFile } = files;
  if (!existsSync(file)) writeKey(file, KeyObject.from((await newKeyPair()).privateKey));
  const publicKey = createPublicKey(readPrivateKey(file));
  writePrivateFile(publicFile, publicKey.export({ type: 'spki', format: 'pem' }).toString());
}
