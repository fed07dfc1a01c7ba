import * as v1 from '@coxswain/api/networking/v1/index.ts';
import * as v1beta1 from '@coxswain/api/networking/v1beta1.ts';
import { onRequest, resource, served, type Group } from '../resource.ts';
import { ingressClassVersions, ingressVersions, networkPolicyVersions } from './legacy-versions.ts';

export const networkingGroup: Group = {
  name: 'networking.k8s.io',
  versions: [served('v1'), onRequest('v1beta1')],
  resources: [
    resource(v1.IngressClass, { alsoAs: ingressClassVersions, generation: 'spec' }),
    resource(v1.Ingress, { alsoAs: ingressVersions, prefix: 'ingress', status: true, generation: 'spec' }),
    resource(v1.IPAddress, { generatedName: (prefix) => prefix, alsoAs: [{ kind: v1beta1.IPAddress }] }),
    resource(v1.NetworkPolicy, {
      alsoAs: networkPolicyVersions,
      generation: { onCreate: true, on: ['spec'], equality: 'exact' },
    }),
    resource(v1.ServiceCIDR, { status: { keepsMetadata: 'all' }, alsoAs: [{ kind: v1beta1.ServiceCIDR }] }),
  ],
};
