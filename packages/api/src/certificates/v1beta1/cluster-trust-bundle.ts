import * as t from '@coxswain/schema';
import { nameColumn, column } from '../../meta/columns.ts';
import { validateTrustBundle } from '../trust-bundle-validation.ts';

export const ClusterTrustBundleSpec = t.struct('certificates/v1beta1.ClusterTrustBundleSpec', {
  signerName: t.optional(1, t.string),
  trustBundle: t.always(2, t.string, { required: true }),
});
export interface ClusterTrustBundleSpec extends t.Static<typeof ClusterTrustBundleSpec> {}

export const ClusterTrustBundle = t.kind(
  'certificates/v1beta1.ClusterTrustBundle',
  'certificates.k8s.io/v1beta1',
  { plural: 'clustertrustbundles', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, ClusterTrustBundleSpec, { required: true }),
  },
  {
    validate: validateTrustBundle,
    columns: [nameColumn, column('SignerName', ({ spec }) => spec?.signerName || '<none>')],
    selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
    metadataSelectors: 'nameOnly',
  },
);
export interface ClusterTrustBundle extends t.Static<typeof ClusterTrustBundle> {}
