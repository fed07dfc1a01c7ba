import { CertificateSigningRequest } from '@coxswain/api/certificates/v1/index.ts';
import { ClusterTrustBundle as ClusterTrustBundleV1alpha1 } from '@coxswain/api/certificates/v1alpha1.ts';
import {
  CertificateSigningRequest as CertificateSigningRequestV1beta1,
  ClusterTrustBundle,
  PodCertificateRequest,
} from '@coxswain/api/certificates/v1beta1/index.ts';
import { legacy, onRequest, resource, served, type Group } from '../resource.ts';
import { approvalSubresource } from './approval.ts';
import { csrStatusEndpoint, csrStrategy } from './csr-strategy.ts';
import { requestErrors } from './legacy-errors.ts';

export const certificatesGroup: Group = {
  name: 'certificates.k8s.io',
  versions: [served('v1'), onRequest('v1beta1'), onRequest('v1alpha1')],
  resources: [
    resource(CertificateSigningRequest, {
      ...csrStrategy,
      status: csrStatusEndpoint,
      subresources: approvalSubresource,
      alsoAs: [legacy(CertificateSigningRequestV1beta1, { errors: requestErrors })],
    }),
    resource(ClusterTrustBundle, {
      gate: 'ClusterTrustBundle',
      allowUnconditionalUpdate: false,
      alsoAs: [{ kind: ClusterTrustBundleV1alpha1 }],
    }),
    resource(PodCertificateRequest, {
      gate: 'PodCertificateRequest',
      status: { keepsMetadata: 'all', resetFields: [['spec']] },
      allowUnconditionalUpdate: false,
    }),
  ],
};
