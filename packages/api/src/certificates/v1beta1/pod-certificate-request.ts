import * as t from '@coxswain/schema';
import { nameColumn, column, formatLabels } from '../../meta/columns.ts';
import { validatePodRequest, validatePodRequestStatus } from '../pod-certificate-validation.ts';
import { PodCertificateRequestSpec, PodCertificateRequestStatus } from './pod-certificate-request-spec.ts';

export * from './pod-certificate-request-spec.ts';

export const PodCertificateRequest = t.kind(
  'certificates/v1beta1.PodCertificateRequest',
  'certificates.k8s.io/v1beta1',
  { plural: 'podcertificaterequests', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, PodCertificateRequestSpec, { required: true }),
    status: t.optional(3, PodCertificateRequestStatus),
  },
  {
    validate: validatePodRequest,
    validateStatus: validatePodRequestStatus,
    columns: [
      nameColumn,
      column('PodName', ({ spec }) => spec.podName),
      column('ServiceAccountName', ({ spec }) => spec.serviceAccountName),
      column('NodeName', ({ spec }) => spec.nodeName),
      column('SignerName', ({ spec }) => spec.signerName),
      column(
        'State',
        ({ status }) =>
          (status?.conditions ?? []).findLast(
            ({ type }) => type === 'Issued' || type === 'Denied' || type === 'Failed',
          )?.type ?? 'Pending',
      ),
      column('UnverifiedUserAnnotations', ({ spec }) => formatLabels(spec.unverifiedUserAnnotations)),
    ],
    selectableFields: {
      'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
      'spec.signerName': ({ spec }) => spec?.signerName ?? '',
      'spec.podName': ({ spec }) => spec?.podName ?? '',
    },
    metadataSelectors: 'nameOnly',
  },
);
export interface PodCertificateRequest extends t.Static<typeof PodCertificateRequest> {}
