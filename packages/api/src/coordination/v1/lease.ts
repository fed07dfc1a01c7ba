import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateLease } from '../lease-validation.ts';
import { LeaseSpec } from './lease-spec.ts';

export const Lease = t.kind(
  'coordination/v1.Lease',
  'coordination.k8s.io/v1',
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
