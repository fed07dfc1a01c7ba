import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateLease } from '../lease-validation.ts';

export const LeaseSpec = t.struct('coordination/v1beta1.LeaseSpec', {
  holderIdentity: t.pointer(1, t.string),
  leaseDurationSeconds: t.pointer(2, t.int32),
  acquireTime: t.pointer(3, t.microTime),
  renewTime: t.pointer(4, t.microTime),
  leaseTransitions: t.pointer(5, t.int32),
  strategy: t.pointer(6, t.named('v1.CoordinatedLeaseStrategy', t.string), {
    gate: 'CoordinatedLeaderElection',
  }),
  preferredHolder: t.pointer(7, t.string, { gate: 'CoordinatedLeaderElection' }),
});
export interface LeaseSpec extends t.Static<typeof LeaseSpec> {}

export const Lease = t.kind(
  'coordination/v1beta1.Lease',
  'coordination.k8s.io/v1beta1',
  { plural: 'leases', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, LeaseSpec),
  },
  {
    validate: validateLease,
    columns: [nameColumn, column('Holder', ({ spec }) => spec?.holderIdentity ?? ''), ageColumn],
  },
);
export interface Lease extends t.Static<typeof Lease> {}
