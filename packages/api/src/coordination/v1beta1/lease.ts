import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateLease } from '../lease-validation.ts';
import * as v1 from '../v1/lease.ts';

export const LeaseSpec = t.structIn('coordination/v1beta1', v1.LeaseSpec, {
  fields: {
    strategy: t.pointer(6, t.named('v1.CoordinatedLeaseStrategy', t.string), {
      gate: 'CoordinatedLeaderElection',
    }),
  },
});
export interface LeaseSpec extends t.Static<typeof LeaseSpec> {}

export const Lease = t.kindIn(
  'coordination/v1beta1',
  v1.Lease,
  { fields: { spec: t.optional(2, LeaseSpec) } },
  {
    validate: validateLease,
    columns: [nameColumn, column('Holder', ({ spec }) => spec?.holderIdentity ?? ''), ageColumn],
  },
);
export interface Lease extends t.Static<typeof Lease> {}
