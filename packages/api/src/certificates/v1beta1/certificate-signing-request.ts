import * as t from '@coxswain/schema';
import { defaultSigner } from '../default-signer.ts';
import * as v1 from '../v1/index.ts';

export const CertificateSigningRequestSpec = t.structIn(
  'certificates/v1beta1',
  v1.CertificateSigningRequestSpec,
  {
    fields: {
      request: t.always(1, t.bytes),
      signerName: t.pointer(7, t.string),
      usages: t.optional(5, t.atomicList(t.named('v1beta1.KeyUsage', t.string)), {
        default: ['digital signature', 'key encipherment'],
      }),
    },
  },
);
export interface CertificateSigningRequestSpec extends t.Static<typeof CertificateSigningRequestSpec> {}

export const CertificateSigningRequestCondition = t.structIn(
  'certificates/v1beta1',
  v1.CertificateSigningRequestCondition,
  {
    fields: {
      type: t.always(1, t.named('v1beta1.RequestConditionType', t.string)),
      status: t.always(6, t.named('v1.ConditionStatus', t.string), { default: 'True' }),
    },
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

export const CertificateSigningRequest = t.kindIn(
  'certificates/v1beta1',
  v1.CertificateSigningRequest,
  {
    fields: {
      spec: t.always(2, CertificateSigningRequestSpec),
      status: t.optional(3, CertificateSigningRequestStatus),
    },
    shared: ['columns', 'metadataSelectors'],
  },
  {
    defaults: [defaultSigner],
    selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  },
);
export interface CertificateSigningRequest extends t.Static<typeof CertificateSigningRequest> {}
