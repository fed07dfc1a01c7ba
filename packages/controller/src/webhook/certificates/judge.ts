/** Determines which certificates in a Secret can still be used. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { AuthorityData, CertificateData } from './issue.ts';

/** The contents of a Secret, which may have been written by others. */
export type FoundData = Partial<Readonly<Record<keyof CertificateData, string>>>;

/** Returns the authority, if its key is present and it is valid until then. */
export function usableAuthority(found: FoundData, untilMs: number): AuthorityData | undefined {
  const { 'ca.crt': certificate = '', 'ca.key': key = '' } = found;
  return isPair(certificate, key) && expiryMs(certificate) > untilMs
    ? { 'ca.crt': certificate, 'ca.key': key }
    : undefined;
}

/** Returns the certificate, if the authority signed it for all of these names and it is valid until then. */
export function usableCertificate(
  found: FoundData,
  authority: AuthorityData,
  names: readonly string[],
  untilMs: number,
): CertificateData | undefined {
  const { 'tls.crt': certificate = '', 'tls.key': key = '' } = found;
  if (!isPair(certificate, key) || expiryMs(certificate) <= untilMs) return undefined;
  const read = new X509Certificate(certificate);
  const signer = new X509Certificate(authority['ca.crt']);
  const isSigned = read.checkIssued(signer) && read.verify(signer.publicKey);
  const isForAll = names.every((name) => read.checkHost(name) ?? read.checkIP(name));
  return isSigned && isForAll ? { ...authority, 'tls.crt': certificate, 'tls.key': key } : undefined;
}

/** Returns the first certificate of the bundle, if it is valid at that time, to be kept alongside a new authority. */
export function stillTrusted(bundle: string | undefined, nowMs: number): string {
  const [first = ''] =
    /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/.exec(bundle ?? '') ?? [];
  return isCertificate(first) && expiryMs(first) > nowMs ? first : '';
}

function isPair(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

const expiryMs = (certificate: string): number => Date.parse(new X509Certificate(certificate).validTo);
