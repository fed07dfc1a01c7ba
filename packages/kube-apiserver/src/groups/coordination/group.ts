import { Lease } from '@coxswain/api/coordination/v1/index.ts';
import { LeaseCandidate as LeaseCandidateV1alpha2 } from '@coxswain/api/coordination/v1alpha2.ts';
import { Lease as LeaseV1beta1, LeaseCandidate } from '@coxswain/api/coordination/v1beta1.ts';
import { legacy, onRequest, resource, served, type Group } from '../resource.ts';

export const coordinationGroup: Group = {
  name: 'coordination.k8s.io',
  versions: [served('v1'), onRequest('v1beta1'), onRequest('v1alpha2')],
  resources: [
    resource(Lease, {
      gatedMembers: ['spec'],
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
      alsoAs: [legacy(LeaseV1beta1)],
    }),
    resource(LeaseCandidate, {
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
      alsoAs: [{ kind: LeaseCandidateV1alpha2 }],
    }),
  ],
};
