/** Validates CertificateSigningRequests: the request itself, and who may set which part. */

import { goQuote, semanticDeepEqual, type FieldError } from '@coxswain/apimachinery';
import { pathOf, repeated, Errors } from '../meta/checks.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import { nodeCrypto, readCertificate } from '../meta/node-crypto.ts';
import { pemBlocks } from '../meta/pem.ts';
import { DerError } from './der.ts';
import { readPkcs10, signatureProblem } from './pkcs10.ts';
import { validateSignerName } from './signer-name.ts';
import type {
  CertificateSigningRequestCondition as Condition,
  CertificateSigningRequestSpec,
  CertificateSigningRequestStatus,
} from './v1/certificate-signing-request-spec.ts';

type Request = StatusObject<CertificateSigningRequestSpec, CertificateSigningRequestStatus>;

const specPath = pathOf('spec');
const statusPath = pathOf('status');
const legacySigner = 'kubernetes.io/legacy-unknown';
const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/** A write to the object, its status, or its approval; each may set different parts. */
type Part = 'all' | 'status' | 'approval';

export const validateRequest = (request: Request, old: Request | undefined): FieldError[] =>
  validatePart(request, old, 'all');
export const validateRequestStatus = (request: Request, old: Request): FieldError[] =>
  validatePart(request, old, 'status');
export const validateApproval = (request: Request, old: Request): FieldError[] =>
  validatePart(request, old, 'approval');

function validatePart(request: Request, old: Request | undefined, part: Part): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(request.metadata, { namespaced: false, name: () => [] }, errors);
  validateSpec(request.spec, old?.spec, errors);
  validateConditions(request.status?.conditions ?? [], old?.status?.conditions ?? [], errors);
  const certificate = request.status?.certificate ?? '';
  const stored = old?.status?.certificate ?? '';
  const isTolerated =
    old !== undefined && (certificate === stored || certificateProblem(stored) !== undefined);
  const problem = isTolerated ? undefined : certificateProblem(certificate);
  if (problem !== undefined) {
    errors.invalid(statusPath.child('certificate'), '<certificate data>', problem);
  }
  if (old !== undefined) validateUpdate(request, old, part, errors);
  return errors;
}

function validateSpec(spec: Request['spec'], old: Request['spec'] | undefined, errors: Errors): void {
  const problem = requestProblem(spec.request ?? '');
  if (problem !== undefined) errors.invalid(specPath.child('request'), spec.request ?? null, problem);
  const given = spec.usages ?? [];
  const stored = old?.usages ?? [];
  const path = specPath.child('usages');
  if (given.length === 0) errors.required(path);
  if (stored.every((usage) => usages.includes(usage))) {
    for (const [index, usage] of given.entries()) {
      if (!usages.includes(usage)) errors.notSupported(path.index(index), usage, usages);
    }
  }
  if (new Set(stored).size === stored.length) {
    for (const index of repeated(given)) errors.duplicate(path.index(index), given[index]);
  }
  const signer = spec.signerName ?? '';
  if (signer === legacySigner && old?.signerName !== legacySigner) {
    const detail = 'the legacy signerName is not allowed via this API version';
    errors.invalid(specPath.child('signerName'), signer, detail);
  } else validateSignerName(signer, specPath.child('signerName'), errors);
  const seconds = spec.expirationSeconds;
  if (seconds != null && seconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.invalid(specPath.child('expirationSeconds'), seconds, detail);
  }
}

function requestProblem(encoded: string): string | undefined {
  const [block] = pemBlocks(atob(encoded));
  if (block?.type !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  try {
    return signatureProblem(readPkcs10(block.bytes));
  } catch (failure) {
    if (failure instanceof DerError) return failure.message;
    throw failure;
  }
}

function certificateProblem(encoded: string): string | undefined {
  if (encoded === '') return undefined;
  const blocks = pemBlocks(atob(encoded));
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    if (nodeCrypto() !== undefined && readCertificate(bytes) === undefined) {
      return 'x509: malformed certificate';
    }
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

const lasting = ['Approved', 'Denied', 'Failed'];
const statuses = ['False', 'True', 'Unknown'];

function validateConditions(
  conditions: readonly Condition[],
  stored: readonly Condition[],
  errors: Errors,
): void {
  const has = (list: readonly Condition[], type: string): boolean => list.some((each) => each.type === type);
  const allowsBoth = has(stored, 'Approved') && has(stored, 'Denied');
  const allowsEmpty = stored.some(({ type }) => !type);
  const allowsRepeated = new Set(stored.map(({ type }) => type)).size < stored.length;
  const path = statusPath.child('conditions');
  const before = new Set<string>();
  for (const [index, { type = '', status = '' }] of conditions.entries()) {
    const at = path.index(index);
    if (type === '' && !allowsEmpty) errors.required(at.child('type'));
    const allowed = lasting.includes(type) ? ['True'] : statuses;
    if (status === '') errors.required(at.child('status'));
    else if (!allowed.includes(status)) errors.notSupported(at.child('status'), status, allowed);
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (!allowsBoth && other !== undefined && before.has(other)) {
      errors.invalid(path, type, 'Approved and Denied conditions are mutually exclusive');
    }
    if (!allowsRepeated && before.has(type)) errors.duplicate(at.child('type'), type);
    before.add(type);
  }
}

function validateUpdate(request: Request, old: Request, part: Part, errors: Errors): void {
  const path = statusPath.child('conditions');
  const ofType = ({ status }: Request, type: string): Condition[] =>
    (status?.conditions ?? []).filter((condition) => condition.type === type);
  for (const type of lasting) {
    if (ofType(request, type).length >= ofType(old, type).length) continue;
    errors.forbidden(path, `updates may not remove a condition of type ${goQuote(type)}`);
  }
  for (const type of part === 'approval' ? [] : ['Approved', 'Denied']) {
    const conditions = ofType(request, type);
    const stored = ofType(old, type);
    if (conditions.length > stored.length) {
      errors.forbidden(path, `updates may not add a condition of type ${goQuote(type)}`);
    } else if (conditions.length === stored.length && !semanticDeepEqual(conditions, stored)) {
      errors.forbidden(path, `updates may not modify a condition of type ${goQuote(type)}`);
    }
  }
  const certificate = request.status?.certificate ?? '';
  const stored = old.status?.certificate ?? '';
  if (certificate !== stored) {
    if (part !== 'status') {
      const detail = 'updates may not set certificate content';
      errors.forbidden(statusPath.child('certificate'), detail);
    } else if (stored !== '') {
      const detail = 'updates may not modify existing certificate content';
      errors.forbidden(statusPath.child('certificate'), detail);
    }
  }
  validateObjectMetaUpdate(request.metadata, old.metadata, errors);
}
