import * as t from '@coxswain/schema';
import * as v1beta1 from './v1beta1/cluster-trust-bundle.ts';

export const ClusterTrustBundle = t.kindIn('certificates/v1alpha1', v1beta1.ClusterTrustBundle, {
  shared: ['validate', 'columns', 'selectableFields', 'metadataSelectors'],
});
export interface ClusterTrustBundle extends t.Static<typeof ClusterTrustBundle> {}
