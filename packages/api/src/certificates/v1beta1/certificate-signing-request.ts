import {
  always,
  atomicList,
  bytes,
  int32,
  kind,
  listMap,
  map,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
  wrappedList,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { requestColumns } from '../v1/certificate-signing-request-columns.ts';

export const CertificateSigningRequestSpec = struct('certificates/v1beta1.CertificateSigningRequestSpec', {
  request: always(1, bytes),
  signerName: pointer(7, string, { default: 'kubernetes.io/legacy-unknown' }),
  expirationSeconds: pointer(8, int32),
  usages: optional(5, atomicList(string), { default: ['digital signature', 'key encipherment'] }),
  username: optional(2, string),
  uid: optional(3, string, { go: 'UID' }),
  groups: optional(4, atomicList(string)),
  extra: optional(6, map(wrappedList(string))),
});
export interface CertificateSigningRequestSpec extends Static<typeof CertificateSigningRequestSpec> {}

export const CertificateSigningRequestCondition = struct(
  'certificates/v1beta1.CertificateSigningRequestCondition',
  {
    type: always(1, string),
    status: always(6, string, { default: 'True' }),
    reason: optional(2, string),
    message: optional(3, string),
    lastUpdateTime: optional(4, time),
    lastTransitionTime: optional(5, time),
  },
);
export interface CertificateSigningRequestCondition extends Static<
  typeof CertificateSigningRequestCondition
> {}

export const CertificateSigningRequestStatus = struct(
  'certificates/v1beta1.CertificateSigningRequestStatus',
  {
    conditions: optional(1, listMap(CertificateSigningRequestCondition, ['type'])),
    certificate: optional(2, bytes),
  },
);
export interface CertificateSigningRequestStatus extends Static<typeof CertificateSigningRequestStatus> {}

export const CertificateSigningRequest = kind(
  'certificates/v1beta1.CertificateSigningRequest',
  'certificates.k8s.io/v1beta1',
  { plural: 'certificatesigningrequests', shortNames: ['csr'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, CertificateSigningRequestSpec),
    status: optional(3, CertificateSigningRequestStatus),
  },
  {
    columns: requestColumns,
  },
);
export interface CertificateSigningRequest extends Static<typeof CertificateSigningRequest> {}
