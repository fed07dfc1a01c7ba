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
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { defaultSigner } from '../default-signer.ts';
import { requestColumns } from '../v1/certificate-signing-request-columns.ts';

export const CertificateSigningRequestSpec = struct('certificates/v1beta1.CertificateSigningRequestSpec', {
  request: always(1, bytes),
  signerName: pointer(7, string),
  expirationSeconds: pointer(8, int32),
  usages: optional(5, atomicList(named('v1beta1.KeyUsage', string)), {
    default: ['digital signature', 'key encipherment'],
  }),
  username: optional(2, string),
  uid: optional(3, string, { go: 'UID' }),
  groups: optional(4, atomicList(string)),
  extra: optional(6, map(named('v1beta1.ExtraValue', wrappedList(string)))),
});
export interface CertificateSigningRequestSpec extends Static<typeof CertificateSigningRequestSpec> {}

export const CertificateSigningRequestCondition = struct(
  'certificates/v1beta1.CertificateSigningRequestCondition',
  {
    type: always(1, named('v1beta1.RequestConditionType', string)),
    status: always(6, named('v1.ConditionStatus', string), { default: 'True' }),
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
    defaults: [defaultSigner],
    columns: requestColumns,
    selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
    metadataSelectors: 'nameOnly',
  },
);
export interface CertificateSigningRequest extends Static<typeof CertificateSigningRequest> {}
