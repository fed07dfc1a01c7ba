import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../meta/columns.ts';
import { validateLeaseCandidate } from './lease-validation.ts';
import * as v1 from './v1/index.ts';

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
  { fields: { spec: t.optional(2, LeaseSpec) }, shared: ['validate'] },
  { columns: [nameColumn, column('Holder', ({ spec }) => spec?.holderIdentity ?? ''), ageColumn] },
);
export interface Lease extends t.Static<typeof Lease> {}

export const LeaseCandidateSpec = t.struct('coordination/v1beta1.LeaseCandidateSpec', {
  leaseName: t.always(1, t.string, { required: true }),
  pingTime: t.pointer(2, t.microTime),
  renewTime: t.pointer(3, t.microTime),
  binaryVersion: t.always(4, t.string, { required: true }),
  emulationVersion: t.optional(5, t.string),
  strategy: t.optional(6, t.named('v1.CoordinatedLeaseStrategy', t.string), { required: true }),
});
export interface LeaseCandidateSpec extends t.Static<typeof LeaseCandidateSpec> {}

export const LeaseCandidate = t.kind(
  'coordination/v1beta1.LeaseCandidate',
  'coordination.k8s.io/v1beta1',
  { plural: 'leasecandidates', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, LeaseCandidateSpec, { required: true }),
  },
  {
    validate: validateLeaseCandidate,
    columns: [
      nameColumn,
      column('LeaseName', ({ spec }) => spec?.leaseName ?? ''),
      column('BinaryVersion', ({ spec }) => spec?.binaryVersion ?? ''),
      column('EmulationVersion', ({ spec }) => spec?.emulationVersion ?? ''),
      ageColumn,
    ],
  },
);
export interface LeaseCandidate extends t.Static<typeof LeaseCandidate> {}
