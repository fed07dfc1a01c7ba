import {
  int32,
  kind,
  microTime,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateLease } from '../lease-validation.ts';

export const LeaseSpec = struct('coordination/v1.LeaseSpec', {
  holderIdentity: pointer(1, string),
  leaseDurationSeconds: pointer(2, int32),
  acquireTime: pointer(3, microTime),
  renewTime: pointer(4, microTime),
  leaseTransitions: pointer(5, int32),
  strategy: pointer(6, named('v1.CoordinatedLeaseStrategy', string), { gate: 'CoordinatedLeaderElection' }),
  preferredHolder: pointer(7, string, { gate: 'CoordinatedLeaderElection' }),
});
export interface LeaseSpec extends Static<typeof LeaseSpec> {}

export const Lease = kind(
  'coordination/v1.Lease',
  'coordination.k8s.io/v1',
  { plural: 'leases', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, LeaseSpec),
  },
  {
    validate: validateLease,
    columns: [nameColumn, column('Holder', ({ spec }) => spec?.holderIdentity ?? ''), ageColumn],
  },
);
export interface Lease extends Static<typeof Lease> {}
