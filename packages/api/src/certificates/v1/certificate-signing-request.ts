import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { validateApproval, validateRequest, validateRequestStatus } from '../request-validation.ts';

export const CertificateSigningRequestSpec = t.struct('certificates/v1.CertificateSigningRequestSpec', {
  request: t.always(1, t.bytes, { required: true }),
  signerName: t.always(7, t.string, { required: true }),
  expirationSeconds: t.pointer(8, t.int32),
  usages: t.optional(
    5,
    t.atomicList(
      t.named(
        'v1.KeyUsage',
        t.oneOf([
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
  username: t.optional(2, t.string),
  uid: t.optional(3, t.string, { go: 'UID' }),
  groups: t.optional(4, t.atomicList(t.string)),
  extra: t.optional(6, t.map(t.named('v1.ExtraValue', t.wrappedList(t.string)))),
});
export interface CertificateSigningRequestSpec extends t.Static<typeof CertificateSigningRequestSpec> {}

export const CertificateSigningRequestCondition = t.struct(
  'certificates/v1.CertificateSigningRequestCondition',
  {
    type: t.always(1, t.named('v1.RequestConditionType', t.string), { required: true }),
    status: t.always(6, t.named('v1.ConditionStatus', t.string), { required: true }),
    reason: t.optional(2, t.string),
    message: t.optional(3, t.string),
    lastUpdateTime: t.optional(4, t.time),
    lastTransitionTime: t.optional(5, t.time),
  },
);
export interface CertificateSigningRequestCondition extends t.Static<
  typeof CertificateSigningRequestCondition
> {}

export const CertificateSigningRequestStatus = t.struct('certificates/v1.CertificateSigningRequestStatus', {
  conditions: t.optional(1, t.listMap(CertificateSigningRequestCondition, ['type'])),
  certificate: t.optional(2, t.bytes),
});
export interface CertificateSigningRequestStatus extends t.Static<typeof CertificateSigningRequestStatus> {}

export const CertificateSigningRequest = t.kind(
  'certificates/v1.CertificateSigningRequest',
  'certificates.k8s.io/v1',
  { plural: 'certificatesigningrequests', shortNames: ['csr'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, CertificateSigningRequestSpec, { required: true }),
    status: t.optional(3, CertificateSigningRequestStatus),
  },
  {
    validate: validateRequest,
    validateStatus: validateRequestStatus,
    validateSubresource: { approval: validateApproval },
    columns: [
      nameColumn,
      ageColumn,
      column('SignerName', ({ spec }) => spec.signerName || '<none>'),
      column('Requestor', ({ spec }) => spec.username ?? ''),
      column('RequestedDuration', ({ spec }) =>
        spec.expirationSeconds == null ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
      ),
      column('Condition', ({ status }) => {
        const has = (wanted: string): boolean =>
          (status?.conditions ?? []).some(({ type }) => type === wanted);
        const words = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'];
        if (has('Failed')) words.push('Failed');
        if (status?.certificate) words.push('Issued');
        return words.join(',');
      }),
    ],
    selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
    metadataSelectors: 'nameOnly',
  },
);
export interface CertificateSigningRequest extends t.Static<typeof CertificateSigningRequest> {}
