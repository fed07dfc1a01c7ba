import {
  always,
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
import { validateLeaseCandidate } from '../lease-validation.ts';

export const LeaseCandidateSpec = struct('coordination/v1beta1.LeaseCandidateSpec', {
  leaseName: always(1, string, { required: true }),
  pingTime: pointer(2, microTime),
  renewTime: pointer(3, microTime),
  binaryVersion: always(4, string, { required: true }),
  emulationVersion: optional(5, string),
  strategy: optional(6, named('v1.CoordinatedLeaseStrategy', string), { required: true }),
});
export interface LeaseCandidateSpec extends Static<typeof LeaseCandidateSpec> {}

export const LeaseCandidate = kind(
  'coordination/v1beta1.LeaseCandidate',
  'coordination.k8s.io/v1beta1',
  { plural: 'leasecandidates', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, LeaseCandidateSpec, { required: true }),
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
export interface LeaseCandidate extends Static<typeof LeaseCandidate> {}
