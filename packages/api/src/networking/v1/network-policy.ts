import * as t from '@coxswain/schema';
import { defaultPolicyTypes } from './network-policy-defaults.ts';
import { nameColumn, column, ageColumn, formatSelector } from '../../meta/columns.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';
import { networkPolicyWarnings } from './network-policy-warnings.ts';
import { NetworkPolicySpec } from './network-policy-spec.ts';

export const NetworkPolicy = t.kind(
  'networking/v1.NetworkPolicy',
  'networking.k8s.io/v1',
  { plural: 'networkpolicies', shortNames: ['netpol'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, NetworkPolicySpec),
  },
  {
    defaults: [defaultPolicyTypes],
    validate: validateNetworkPolicy,
    warnings: networkPolicyWarnings,
    columns: [
      nameColumn,
      column('Pod-Selector', ({ spec }) => formatSelector(spec.podSelector ?? {})),
      ageColumn,
    ],
  },
);
export interface NetworkPolicy extends t.Static<typeof NetworkPolicy> {}
