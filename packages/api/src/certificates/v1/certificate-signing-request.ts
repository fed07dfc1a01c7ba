import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { validateApproval, validateRequest, validateRequestStatus } from '../request-validation.ts';
import {
  CertificateSigningRequestSpec,
  CertificateSigningRequestStatus,
} from './certificate-signing-request-spec.ts';

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
