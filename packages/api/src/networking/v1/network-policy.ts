import {
  always,
  atomicList,
  int32,
  intOrString,
  kind,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultPolicyTypes } from './network-policy-defaults.ts';
import { nameColumn, column, ageColumn, formatSelector } from '../../meta/columns.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';
import { networkPolicyWarnings } from './network-policy-warnings.ts';

export const IPBlock = struct('networking/v1.IPBlock', {
  cidr: always(1, string, { required: true, go: 'CIDR' }),
  except: optional(2, atomicList(string)),
});
export interface IPBlock extends Static<typeof IPBlock> {}

export const NetworkPolicyPort = struct('networking/v1.NetworkPolicyPort', {
  protocol: pointer(1, named('v1.Protocol', oneOf(['TCP', 'UDP', 'SCTP'])), { default: 'TCP' }),
  port: pointer(2, intOrString),
  endPort: pointer(3, int32),
});
export interface NetworkPolicyPort extends Static<typeof NetworkPolicyPort> {}

export const NetworkPolicyPeer = struct('networking/v1.NetworkPolicyPeer', {
  podSelector: pointer(1, LabelSelector),
  namespaceSelector: pointer(2, LabelSelector),
  ipBlock: pointer(3, IPBlock, { go: 'IPBlock' }),
});
export interface NetworkPolicyPeer extends Static<typeof NetworkPolicyPeer> {}

export const NetworkPolicyIngressRule = struct('networking/v1.NetworkPolicyIngressRule', {
  ports: optional(1, atomicList(NetworkPolicyPort)),
  from: optional(2, atomicList(NetworkPolicyPeer)),
});
export interface NetworkPolicyIngressRule extends Static<typeof NetworkPolicyIngressRule> {}

export const NetworkPolicyEgressRule = struct('networking/v1.NetworkPolicyEgressRule', {
  ports: optional(1, atomicList(NetworkPolicyPort)),
  to: optional(2, atomicList(NetworkPolicyPeer)),
});
export interface NetworkPolicyEgressRule extends Static<typeof NetworkPolicyEgressRule> {}

export const NetworkPolicySpec = struct('networking/v1.NetworkPolicySpec', {
  podSelector: always(1, LabelSelector),
  ingress: optional(2, atomicList(NetworkPolicyIngressRule)),
  egress: optional(3, atomicList(NetworkPolicyEgressRule)),
  policyTypes: optional(4, atomicList(named('v1.PolicyType', oneOf(['Ingress', 'Egress'])))),
});
export interface NetworkPolicySpec extends Static<typeof NetworkPolicySpec> {}

export const NetworkPolicy = kind(
  'networking/v1.NetworkPolicy',
  'networking.k8s.io/v1',
  { plural: 'networkpolicies', shortNames: ['netpol'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, NetworkPolicySpec),
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
export interface NetworkPolicy extends Static<typeof NetworkPolicy> {}
