import {
  always,
  atomicList,
  bytes,
  int32,
  kind,
  listMap,
  map,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  time,
  wrappedList,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { requestColumns } from './certificate-signing-request-columns.ts';
import { validateApproval, validateRequest, validateRequestStatus } from '../request-validation.ts';

export const CertificateSigningRequestSpec = struct('certificates/v1.CertificateSigningRequestSpec', {
  request: always(1, bytes, { required: true }),
  signerName: always(7, string, { required: true }),
  expirationSeconds: pointer(8, int32),
  usages: optional(
    5,
    atomicList(
      named(
        'v1.KeyUsage',
        oneOf([
          'signing',
          'digital signature',
          'content commitment',
          'key encipherment',
          'key agreement',
          'data encipherment',
          'cert sign',
          'crl sign',
          'encipher only',
          'decipher only',
          'any',
          'server auth',
          'client auth',
          'code signing',
          'email protection',
          's/mime',
          'ipsec end system',
          'ipsec tunnel',
          'ipsec user',
          'timestamping',
          'ocsp signing',
          'microsoft sgc',
          'netscape sgc',
        ]),
      ),
    ),
  ),
  username: optional(2, string),
  uid: optional(3, string, { go: 'UID' }),
  groups: optional(4, atomicList(string)),
  extra: optional(6, map(named('v1.ExtraValue', wrappedList(string)))),
});
export interface CertificateSigningRequestSpec extends Static<typeof CertificateSigningRequestSpec> {}

export const CertificateSigningRequestCondition = struct(
  'certificates/v1.CertificateSigningRequestCondition',
  {
    type: always(1, named('v1.RequestConditionType', string), { required: true }),
    status: always(6, named('v1.ConditionStatus', string), { required: true }),
    reason: optional(2, string),
    message: optional(3, string),
    lastUpdateTime: optional(4, time),
    lastTransitionTime: optional(5, time),
  },
);
export interface CertificateSigningRequestCondition extends Static<
  typeof CertificateSigningRequestCondition
> {}

export const CertificateSigningRequestStatus = struct('certificates/v1.CertificateSigningRequestStatus', {
  conditions: optional(1, listMap(CertificateSigningRequestCondition, ['type'])),
  certificate: optional(2, bytes),
});
export interface CertificateSigningRequestStatus extends Static<typeof CertificateSigningRequestStatus> {}

export const CertificateSigningRequest = kind(
  'certificates/v1.CertificateSigningRequest',
  'certificates.k8s.io/v1',
  { plural: 'certificatesigningrequests', shortNames: ['csr'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, CertificateSigningRequestSpec, { required: true }),
    status: optional(3, CertificateSigningRequestStatus),
  },
  {
    validate: validateRequest,
    validateStatus: validateRequestStatus,
    validateSubresource: { approval: validateApproval },
    columns: requestColumns,
    selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
    metadataSelectors: 'nameOnly',
  },
);
export interface CertificateSigningRequest extends Static<typeof CertificateSigningRequest> {}
