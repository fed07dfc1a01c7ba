import * as t from '@coxswain/schema';
import { defaultSigner } from '../default-signer.ts';
import { requestColumns } from '../v1/certificate-signing-request-columns.ts';

export const CertificateSigningRequestSpec = t.struct('certificates/v1beta1.CertificateSigningRequestSpec', {
  request: t.always(1, t.bytes),
  signerName: t.pointer(7, t.string),
  expirationSeconds: t.pointer(8, t.int32),
  usages: t.optional(5, t.atomicList(t.named('v1beta1.KeyUsage', t.string)), {
    default: ['digital signature', 'key encipherment'],
  }),
  username: t.optional(2, t.string),
  uid: t.optional(3, t.string, { go: 'UID' }),
  groups: t.optional(4, t.atomicList(t.string)),
  extra: t.optional(6, t.map(t.named('v1beta1.ExtraValue', t.wrappedList(t.string)))),
});
export interface CertificateSigningRequestSpec extends t.Static<typeof CertificateSigningRequestSpec> {}

export const CertificateSigningRequestCondition = t.struct(
  'certificates/v1beta1.CertificateSigningRequestCondition',
  {
    type: t.always(1, t.named('v1beta1.RequestConditionType', t.string)),
    status: t.always(6, t.named('v1.ConditionStatus', t.string), { default: 'True' }),
    reason: t.optional(2, t.string),
    message: t.optional(3, t.string),
    lastUpdateTime: t.optional(4, t.time),
    lastTransitionTime: t.optional(5, t.time),
  },
);
export interface CertificateSigningRequestCondition extends t.Static<
  typeof CertificateSigningRequestCondition
> {}

export const CertificateSigningRequestStatus = t.struct(
  'certificates/v1beta1.CertificateSigningRequestStatus',
  {
    conditions: t.optional(1, t.listMap(CertificateSigningRequestCondition, ['type'])),
    certificate: t.optional(2, t.bytes),
  },
);
export interface CertificateSigningRequestStatus extends t.Static<typeof CertificateSigningRequestStatus> {}

export const CertificateSigningRequest = t.kind(
  'certificates/v1beta1.CertificateSigningRequest',
  'certificates.k8s.io/v1beta1',
  { plural: 'certificatesigningrequests', shortNames: ['csr'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, CertificateSigningRequestSpec),
    status: t.optional(3, CertificateSigningRequestStatus),
  },
  {
    defaults: [defaultSigner],
    columns: requestColumns,
    selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
    metadataSelectors: 'nameOnly',
  },
);
export interface CertificateSigningRequest extends t.Static<typeof CertificateSigningRequest> {}
