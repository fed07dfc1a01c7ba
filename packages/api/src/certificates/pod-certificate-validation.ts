/** Validates PodCertificateRequests: the requestor, the key, and the signer's response. */

import {
  byteLength,
  checkDnsSubdomain,
  checkQualifiedName,
  invalidError,
  omitted,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { goEqual, type ValidationContext } from '@coxswain/schema';
import { check, immutableMessage, pathOf, Errors } from '../meta/checks.ts';
import { validateConditions } from '../meta/condition-validation.ts';
import { goStruct } from '../meta/go-struct.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { nodeCrypto, readPublicKey, type KeyObject } from '../meta/node-crypto.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../meta/object-meta-validation.ts';
import { DerError } from './der.ts';
import { issuedProblems } from './issued-certificate.ts';
import { readPkcs10, signatureProblem, type Pkcs10 } from './pkcs10.ts';
import { isKubernetesSigner, validateSignerName } from './signer-name.ts';
import {
  PodCertificateRequestSpec,
  PodCertificateRequestStatus,
} from './v1beta1/pod-certificate-request-spec.ts';

type Request = StatusObject<PodCertificateRequestSpec, PodCertificateRequestStatus>;

const specPath = pathOf('spec');
const uidBytesMax = 128;
const dayInSeconds = 24 * 60 * 60;
const expirationSecondsMin = 60 * 60;
const expirationSecondsMax = 91 * dayInSeconds;
const requestBytesMax = 10 * 1024;

export function validatePodRequest(request: Request, old: Request | undefined): FieldError[] {
  const errors = new Errors();
  if (old === undefined) {
    validateObjectMeta(request.metadata, { namespaced: true, name: subdomainName }, errors);
    validateSpec(request.spec, errors);
    return errors;
  }
  validateObjectMetaUpdate(request.metadata, old.metadata, errors);
  if (!goEqual(PodCertificateRequestSpec, request.spec, old.spec, 'semantic')) {
    errors.invalid(specPath, goStruct(PodCertificateRequestSpec, request.spec), immutableMessage);
  }
  return errors;
}

function validateSpec(spec: PodCertificateRequestSpec, errors: Errors): void {
  validateSignerName(spec.signerName, specPath.child('signerName'), errors);
  validateUserAnnotations(
    spec.unverifiedUserAnnotations ?? {},
    specPath.child('unverifiedUserAnnotations'),
    errors,
  );
  for (const owner of ['pod', 'serviceAccount', 'node'] as const) {
    check(spec[`${owner}Name`], specPath.child(`${owner}Name`), checkDnsSubdomain, errors);
    const uid = spec[`${owner}UID`];
    const path = specPath.child(`${owner}UID`);
    if (uid === '') errors.invalid(path, uid, 'must not be empty');
    if (byteLength(uid) > uidBytesMax) errors.tooLong(path, uidBytesMax);
  }
  const seconds = spec.maxExpirationSeconds;
  const secondsPath = specPath.child('maxExpirationSeconds');
  if (seconds == null) {
    errors.required(secondsPath, 'must be set');
    return;
  }
  const most = isKubernetesSigner(spec.signerName) ? dayInSeconds : expirationSecondsMax;
  if (seconds < expirationSecondsMin || seconds > most) {
    const detail = `must be in the range [${expirationSecondsMin}, ${most}]`;
    errors.invalid(secondsPath, seconds, detail);
  }
  validateKey(spec, errors);
}

const annotationBytesMax = 256 * 1024;

/** Data from the pod's author for the signer; unlike annotations all keys require a domain. */
export function validateUserAnnotations(
  annotations: Readonly<Record<string, string>>,
  path: FieldPath,
  errors: Errors,
): void {
  for (const key of Object.keys(annotations).map((name) => name.toLowerCase())) {
    const before = errors.length;
    if (key === '') errors.required(path);
    else check(key, path, checkQualifiedName, errors);
    if (errors.length > before || key.includes('/')) continue;
    errors.invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")');
  }
  const texts = Object.entries(annotations).flat();
  const bytes = texts.reduce((sum, text) => sum + byteLength(text), 0);
  if (bytes > annotationBytesMax) errors.tooLong(path, annotationBytesMax);
}

/** Exactly one of the two ways to provide a key must be used. */
function validateKey(spec: PodCertificateRequestSpec, errors: Errors): void {
  const { stubPKCS10Request: stub, pkixPublicKey: key, proofOfPossession: proof } = spec;
  if (stub && !key && !proof) validateStub(bytesOf(stub), errors);
  else if (!stub && key && proof) validateProof(spec, bytesOf(key), bytesOf(proof), errors);
  else {
    const detail = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
    errors.invalid(specPath, omitted, detail);
  }
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.fromBase64(base64);

function validateStub(bytes: Uint8Array, errors: Errors): void {
  const path = specPath.child('stubPKCS10Request');
  if (bytes.length > requestBytesMax) {
    errors.tooLong(path, requestBytesMax);
    return;
  }
  const request = readRequest(bytes);
  if (request === undefined) {
    errors.invalid(path, omitted, 'must be a valid PKCS#10 CSR');
    return;
  }
  const before = errors.length;
  if (request.publicKey !== undefined)
    validateKeyForm(request.publicKey, path, 'P256, P384, or P521', omitted, errors);
  if (errors.length === before && signatureProblem(request) !== undefined) {
    errors.invalid(path, omitted, 'invalid signature');
  }
}

function readRequest(bytes: Uint8Array): Pkcs10 | undefined {
  try {
    return readPkcs10(bytes);
  } catch (failure) {
    if (failure instanceof DerError) return undefined;
    throw failure;
  }
}

const curves = ['prime256v1', 'secp384r1', 'secp521r1'];
const goCurves: Readonly<Record<string, string>> = { secp224r1: 'P-224' };
const modulusBits = [3072, 4096];

function validateKeyForm(
  key: KeyObject | null,
  path: FieldPath,
  allowedCurves: string,
  shown: unknown,
  errors: Errors,
): void {
  const { namedCurve = '', modulusLength = 0 } = key?.asymmetricKeyDetails ?? {};
  switch (key?.asymmetricKeyType) {
    case 'ed25519':
      return;
    case 'ec':
      if (curves.includes(namedCurve)) return;
      errors.invalid(
        path,
        `curve ${goCurves[namedCurve] ?? namedCurve}`,
        `elliptic public keys must use curve ${allowedCurves}`,
      );
      return;
    case 'rsa':
      if (modulusBits.includes(Math.ceil(modulusLength / 8) * 8)) return;
      errors.invalid(
        path,
        `${Math.ceil(modulusLength / 8) * 8}-bit modulus`,
        'RSA keys must have modulus size 3072 or 4096',
      );
      return;
    default:
      errors.invalid(path, shown, 'unknown public key type; supported types are Ed25519, ECDSA, and RSA');
  }
}

/** The older way: a key, and a signature of the pod's uid with it. */
function validateProof(
  { pkixPublicKey, podUID }: PodCertificateRequestSpec,
  keyBytes: Uint8Array,
  proof: Uint8Array,
  errors: Errors,
): void {
  const keyPath = specPath.child('pkixPublicKey');
  const proofPath = specPath.child('proofOfPossession');
  for (const [bytes, path] of [
    [keyBytes, keyPath],
    [proof, proofPath],
  ] as const) {
    if (bytes.length <= requestBytesMax) continue;
    errors.tooLong(path, requestBytesMax);
    return;
  }
  const crypto = nodeCrypto();
  if (crypto === undefined) return;
  const key = readPublicKey(keyBytes);
  if (key === undefined) {
    errors.invalid(keyPath, pkixPublicKey, 'must be a valid PKIX-serialized public key');
    return;
  }
  const before = errors.length;
  validateKeyForm(key, keyPath, 'P256 or P384', pkixPublicKey, errors);
  if (errors.length > before) return;
  const padding = key.asymmetricKeyType === 'rsa' ? { padding: crypto.constants.RSA_PKCS1_PSS_PADDING } : {};
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  if (!crypto.verify(hash, new TextEncoder().encode(podUID), { key, ...padding }, proof)) {
    errors.invalid(proofPath, omitted, 'could not verify proof-of-possession signature');
  }
}

const outcomes = ['Issued', 'Denied', 'Failed'];
const statusPath = pathOf('status');

export function validatePodRequestStatus(
  request: Request,
  old: Request,
  { nowMs }: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(request.metadata, old.metadata, errors);
  if (errors.length > 0) return errors;
  validateOutcome(request.status, errors);
  validateConditions(request.status.conditions, statusPath.child('conditions'), errors);
  if (errors.length > 0) return errors;
  const refuse = (detail: string): FieldError[] => [invalidError(statusPath, omitted, detail)];
  const isSame = (status: PodCertificateRequestStatus): boolean =>
    goEqual(PodCertificateRequestStatus, request.status, status, 'semantic');
  if (outcomeOf(old) !== undefined) {
    return isSame(old.status)
      ? []
      : refuse('immutable after PodCertificateRequest is issued, denied, or failed');
  }
  const outcome = outcomeOf(request);
  if (outcome === 'Issued') return issuedProblems(request.status, old.spec, nowMs);
  if (outcome !== undefined) {
    const { conditions } = request.status;
    return isSame(conditions === undefined ? {} : { conditions })
      ? []
      : refuse('non-condition status fields must be empty when denying or failing the PodCertificateRequest');
  }
  return isSame(old.status)
    ? []
    : refuse('status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
}

const outcomeOf = ({ status }: Request): string | undefined =>
  status?.conditions?.find(({ type, status: value }) => outcomes.includes(type) && value === 'True')?.type;

/** The index is a separate path segment, as upstream. */
function validateOutcome({ conditions }: PodCertificateRequestStatus, errors: Errors): void {
  let known = 0;
  for (const [index, { type, status }] of (conditions ?? []).entries()) {
    const path = statusPath.child('conditions', `[${index}]`);
    if (!outcomes.includes(type)) {
      errors.notSupported(path.child('type'), type, outcomes);
      continue;
    }
    if (++known > 1) {
      const detail = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
      errors.invalid(path.child('type'), type, detail);
    }
    if (status !== 'True') errors.notSupported(path.child('status'), status, ['True']);
  }
}
