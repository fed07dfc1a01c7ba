import { always, kind, ObjectMeta, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, column } from '../../meta/columns.ts';
import { validateTrustBundle } from '../trust-bundle-validation.ts';

export const ClusterTrustBundleSpec = struct('certificates/v1alpha1.ClusterTrustBundleSpec', {
  signerName: optional(1, string),
  trustBundle: always(2, string, { required: true }),
});
export interface ClusterTrustBundleSpec extends Static<typeof ClusterTrustBundleSpec> {}

export const ClusterTrustBundle = kind(
  'certificates/v1alpha1.ClusterTrustBundle',
  'certificates.k8s.io/v1alpha1',
  { plural: 'clustertrustbundles', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, ClusterTrustBundleSpec, { required: true }),
  },
  {
    validate: validateTrustBundle,
    columns: [nameColumn, column('SignerName', ({ spec }) => spec?.signerName || '<none>')],
    selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
    metadataSelectors: 'nameOnly',
  },
);
export interface ClusterTrustBundle extends Static<typeof ClusterTrustBundle> {}
