import * as t from '@coxswain/schema';

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
