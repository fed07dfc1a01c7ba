/** Publishing a trust bundle for a signer requires permission to attest for it. */
import type { ClusterTrustBundle } from '@coxswain/api/certificates/v1beta1/cluster-trust-bundle.ts';
import { goQuote, semanticDeepEqual, type KubeObject } from '@coxswain/apimachinery';
import type { AdmissionPlugin, Authorizer } from '@coxswain/apiserver';
import { isTo, objectOf, oldObjectOf, on, refused } from '../attributes.ts';
import { maySign } from '../signer-permission.ts';

const bundles = { group: 'certificates.k8s.io', resource: 'clustertrustbundles' };

export const clusterTrustBundleAttest = (authorizer: Authorizer): AdmissionPlugin => ({
  name: 'ClusterTrustBundleAttest',
  handles: on('CREATE', 'UPDATE'),
  async validate(attributes) {
    if (!isTo(attributes, bundles)) return;
    const bundle = objectOf<ClusterTrustBundle>(attributes);
    const { signerName } = bundle.spec;
    if (!signerName) return;
    if (attributes.operation === 'UPDATE' && isCollectorsWrite(bundle, oldObjectOf(attributes))) return;
    if (await maySign(authorizer, attributes, 'attest', signerName)) return;
    throw refused(attributes, `user not permitted to attest for signerName ${goQuote(signerName)}`);
  },
});

/** Storage migration and garbage collection change only owner references and finalizers. */
const isCollectorsWrite = (now: ClusterTrustBundle, before: ClusterTrustBundle): boolean =>
  semanticDeepEqual(comparable(now), comparable(before));

const comparable = ({ metadata, ...rest }: ClusterTrustBundle) => {
  const {
    ownerReferences: _owners,
    finalizers: _finalizers,
    managedFields: _managed,
    resourceVersion: _version,
    selfLink: _link,
    ...kept
  } = metadata as KubeObject['metadata'] & { selfLink?: string };
  return { metadata: kept, ...rest };
};
