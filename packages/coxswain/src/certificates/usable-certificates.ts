/** Checks whether the keys and certificates in a directory belong together and can be used for this start. */

import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Clock } from '@coxswain/apimachinery';
import { systemReason } from '@coxswain/storage/directory/private-files.ts';
import type { CertificateFiles } from './certificate-files.ts';

/** Certificates with less time left than this are renewed at start. */
const renewBeforeMs = 30 * 24 * 3600 * 1000;

/**
 * Returns false if a certificate is missing, about to expire, not yet valid (the clock was ahead), lacks one of
 * `hosts`, or does not match its key, as after a start that was killed. They must then be created.
 * @throws Error naming the file that has other contents
 */
export function areUsable(files: CertificateFiles, clock: Clock, hosts: readonly string[]): boolean {
  if (!Object.values(files).every((file) => existsSync(file))) return false;
  const authority = readCertificate(files.caCertFile);
  const frontProxyAuthority = readCertificate(files.frontProxyCaCertFile);
  const serving = readCertificate(files.servingCertFile);
  return (
    isAuthorityUsable(authority, files.caKeyFile, clock) &&
    isLeafUsable(serving, files.servingKeyFile, authority, clock) &&
    isLeafUsable(readCertificate(files.adminCertFile), files.adminKeyFile, authority, clock) &&
    isAuthorityUsable(frontProxyAuthority, files.frontProxyCaKeyFile, clock) &&
    isLeafUsable(
      readCertificate(files.frontProxyCertFile),
      files.frontProxyKeyFile,
      frontProxyAuthority,
      clock,
    ) &&
    hosts.every((host) => (isIP(host) ? serving.checkIP(host) : serving.checkHost(host)) !== undefined) &&
    isPublicHalf(files.serviceAccountPublicKeyFile, files.serviceAccountKeyFile)
  );
}

const isAuthorityUsable = (authority: X509Certificate, keyFile: string, clock: Clock): boolean =>
  isCurrent(authority, clock) && belongsTo(authority, keyFile);

const isLeafUsable = (
  leaf: X509Certificate,
  keyFile: string,
  authority: X509Certificate,
  clock: Clock,
): boolean => isCurrent(leaf, clock) && belongsTo(leaf, keyFile) && leaf.verify(authority.publicKey);

export const isCurrent = ({ validFrom, validTo }: X509Certificate, clock: Clock): boolean =>
  Date.parse(validFrom) <= clock.now() && Date.parse(validTo) - clock.now() >= renewBeforeMs;

const belongsTo = (certificate: X509Certificate, keyFile: string): boolean =>
  certificate.checkPrivateKey(readPrivateKey(keyFile));

const isPublicHalf = (publicFile: string, privateFile: string): boolean =>
  createPublicKey(readPrivateKey(privateFile)).equals(
    reading(publicFile, 'public key in PEM format', (pem) => createPublicKey(pem)),
  );

/** @throws Error naming the file */
export const readCertificate = (file: string): X509Certificate =>
  reading(file, 'certificate in PEM format', (pem) => new X509Certificate(pem));

/** @throws Error naming the file */
export const readPrivateKey = (file: string): KeyObject =>
  reading(file, 'private key in PEM format', (pem) => createPrivateKey(pem));

function reading<T>(file: string, what: string, parse: (pem: Buffer) => T): T {
  let pem: Buffer;
  try {
    pem = readFileSync(file);
  } catch (cause) {
    throw new Error(`cannot read ${file}: ${systemReason(cause)}`, { cause });
  }
  try {
    return parse(pem);
  } catch (cause) {
    throw new Error(
      `${file} does not contain a valid ${what}: restore it, or remove it to have a new one created`,
      { cause },
    );
  }
}
