/** A kubelet may write only objects of its own node: the Node, its pods, its lease, tokens for its pods. */
import { goQuote } from '@coxswain/apimachinery';
import type { AdmissionPlugin, Authorizer } from '@coxswain/apiserver';
import { nodeNameOf } from '../../authorization/node/node-identity.ts';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { on, refused } from '../attributes.ts';
import { checkAudience, checkTokenRequest } from '../node-restriction/token-requests.ts';
import { checkClaim } from '../node-restriction/claims.ts';
import { checkNode } from '../node-restriction/node-itself.ts';
import { checkPod } from '../node-restriction/pods.ts';
import { checkPodCertificateRequest } from '../node-restriction/pod-certificate-requests.ts';
import {
  checkCertificateSigningRequest,
  checkNamedLikeNode,
  checkResourceSlice,
} from '../node-restriction/owned-objects.ts';
import type { NodeWrite } from '../node-restriction/node-write.ts';
import type { ObjectReader } from '../../object-reader.ts';

export const nodeRestriction = (
  objects: ObjectReader,
  authorizer: Authorizer,
  features: FeatureGates,
): AdmissionPlugin => ({
  name: 'NodeRestriction',
  handles: on('CREATE', 'UPDATE', 'DELETE'),
  mutate(attributes) {
    const node = nodeNameOf(attributes.user);
    if (node === undefined) return;
    if (node === '') {
      throw refused(attributes, `could not determine node from user ${goQuote(attributes.user.name)}`);
    }
    const { group, resource } = attributes.resource;
    return checks[`${group}/${resource}`]?.({ node, attributes, objects, authorizer, features });
  },
});

const leaseNamespace = 'kube-node-lease';

/** By `group/resource`. */
const checks: Readonly<Record<string, (write: NodeWrite) => void | Promise<void>>> = {
  '/pods': checkPod,
  '/nodes': checkNode,
  '/persistentvolumeclaims': checkClaim,
  '/serviceaccounts': async (write) => {
    const pod = await checkTokenRequest(write);
    if (pod !== undefined && write.features.enabled('ServiceAccountNodeAudienceRestriction')) {
      await checkAudience(write, pod);
    }
  },
  'certificates.k8s.io/podcertificaterequests': checkPodCertificateRequest,
  'coordination.k8s.io/leases': (write) => {
    if (write.attributes.namespace !== leaseNamespace) {
      throw refused(
        write.attributes,
        `can only access leases in the ${goQuote(leaseNamespace)} system namespace`,
      );
    }
    checkNamedLikeNode(write, 'node lease');
  },
  'storage.k8s.io/csinodes': (write) => checkNamedLikeNode(write, 'CSINode'),
  'resource.k8s.io/resourceslices': checkResourceSlice,
  'certificates.k8s.io/certificatesigningrequests': checkCertificateSigningRequest,
};
