/** Validates the certificate chain that a signer issued for a PodCertificateRequest against the request. */

import { invalidError, requiredError, tooLongError, type FieldError } from '@coxswain/apimachinery';
import { Errors, pathOf } from '../meta/checks.ts';
import {
  isSameKey,
  nodeCrypto,
  readCertificate,
  readPublicKey,
  type KeyObject,
  type X509Certificate,
} from '../meta/node-crypto.ts';
import { pemBlocks } from '../meta/pem.ts';
import { readPkcs10 } from './pkcs10.ts';
import type {
  PodCertificateRequestSpec,
  PodCertificateRequestStatus,
} from './v1beta1/pod-certificate-request-spec.ts';

const statusPath = pathOf('status');
const chainPath = statusPath.child('certificateChain');
const chainBytesMax = 100 * 1024;
const minuteMs = 60_000;
const skewMs = 5 * minuteMs;
const lifetimeMsMin = 60 * minuteMs;
const refreshMarginMs = 10 * minuteMs;

/** Only the first problem is reported, except for problems of the certificate's names. */
export function issuedProblems(
  status: PodCertificateRequestStatus,
  spec: PodCertificateRequestSpec,
  nowMs: number,
): FieldError[] {
  const chain = status.certificateChain ?? '';
  const refuse = (detail: string): FieldError[] => [invalidError(chainPath, chain, detail)];
  if (chain.length > chainBytesMax) return [tooLongError(chainPath, chainBytesMax)];
  const [leaf, ...others] = pemBlocks(chain);
  if (leaf === undefined) return refuse('issued certificate chain must contain at least one certificate');
  if (leaf.type !== 'CERTIFICATE') {
    return refuse('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  }
  if (nodeCrypto() === undefined) return [];
  const certificate = readCertificate(leaf.bytes);
  if (certificate === undefined) return refuse('leaf certificate does not parse as valid X.509');
  const ofNames = nameProblems(certificate);
  if (!isIssuedTo(certificate, spec)) {
    return [...ofNames, ...refuse('leaf certificate was not issued to the requested public key')];
  }
  const ofTimes = [...ofNames, ...timeProblems(status, certificate, spec, nowMs)];
  if (ofTimes.length > ofNames.length) return ofTimes;
  for (const { type, bytes } of others) {
    if (type !== 'CERTIFICATE') {
      return [
        ...ofTimes,
        ...refuse('issued certificate chain must consist entirely of CERTFICATE PEM blocks'),
      ];
    }
    if (readCertificate(bytes) === undefined) {
      return [...ofTimes, ...refuse('intermediate certificate does not parse as valid X.509')];
    }
  }
  return ofTimes;
}

function nameProblems({ subjectAltName = '' }: X509Certificate): FieldError[] {
  const errors = new Errors();
  for (const entry of subjectAltName.split(', ')) {
    if (!entry.startsWith('DNS:')) continue;
    const name = entry.slice('DNS:'.length);
    const refuse = (detail: string) => errors.invalid(chainPath, name, detail);
    if (name === '') refuse('leaf certificate should not contain empty DNSName');
    if (name.includes('..')) refuse("leaf certificate's DNSName should not contain '..'");
    if (name.startsWith('.') || name.endsWith('.')) {
      refuse("leaf certificate's DNSName should not start or end with '.'");
    }
  }
  return errors;
}

function isIssuedTo({ publicKey }: X509Certificate, spec: PodCertificateRequestSpec): boolean {
  const wanted = requestedKey(spec);
  return wanted == null || isSameKey(wanted, publicKey);
}

function requestedKey({
  stubPKCS10Request,
  pkixPublicKey,
}: PodCertificateRequestSpec): KeyObject | null | undefined {
  if (stubPKCS10Request) return readPkcs10(Uint8Array.fromBase64(stubPKCS10Request)).publicKey;
  return pkixPublicKey ? readPublicKey(Uint8Array.fromBase64(pkixPublicKey)) : undefined;
}

const at = (name: string) => statusPath.child(name);

function timeProblems(
  { notBefore, notAfter, beginRefreshAt }: PodCertificateRequestStatus,
  certificate: X509Certificate,
  { maxExpirationSeconds = 0 }: PodCertificateRequestSpec,
  nowMs: number,
): FieldError[] {
  if (notBefore == null || notAfter == null || beginRefreshAt == null) {
    const consistent = 'must be present and consistent with the issued certificate';
    const ranged = 'must be present and in the range [notbefore+10min, notafter-10min]';
    return [
      ...(notBefore == null ? [requiredError(at('notBefore'), consistent)] : []),
      ...(notAfter == null ? [requiredError(at('notAfter'), consistent)] : []),
      ...(beginRefreshAt == null ? [requiredError(at('beginRefreshAt'), ranged)] : []),
    ];
  }
  const refuse = (name: string, value: string, detail: string) => [invalidError(at(name), value, detail)];
  const [from, to, refresh] = [notBefore, notAfter, beginRefreshAt].map(Date.parse) as [
    number,
    number,
    number,
  ];
  if (from !== Date.parse(certificate.validFrom)) {
    return refuse(
      'notBefore',
      notBefore,
      'must be set to the NotBefore time encoded in the leaf certificate',
    );
  }
  if (Math.abs(from - nowMs) >= skewMs) {
    return refuse('notBefore', notBefore, "must be set to within 5 minutes of kube-apiserver's current time");
  }
  if (to !== Date.parse(certificate.validTo)) {
    return refuse('notAfter', notAfter, 'must be set to the NotAfter time encoded in the leaf certificate');
  }
  const lifetime = to - from;
  const nanoseconds = lifetime * 1e6;
  if (lifetime < lifetimeMsMin) {
    return [invalidError(chainPath, nanoseconds, 'leaf certificate lifetime must be >= 1 hour')];
  }
  if (lifetime > maxExpirationSeconds * 1000) {
    const detail = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxExpirationSeconds})`;
    return [invalidError(chainPath, nanoseconds, detail)];
  }
  if (refresh < from + refreshMarginMs) {
    return refuse('beginRefreshAt', beginRefreshAt, 'must be at least 10 minutes after status.notBefore');
  }
  return refresh > to - refreshMarginMs
    ? refuse('beginRefreshAt', beginRefreshAt, 'must be at least 10 minutes before status.notAfter')
    : [];
}
