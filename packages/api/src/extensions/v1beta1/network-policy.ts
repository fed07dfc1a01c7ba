import {
  always,
  atomicList,
  int32,
  intOrString,
  kind,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultPolicyTypes } from '../../networking/v1/network-policy-defaults.ts';

export const IPBlock = struct('extensions/v1beta1.IPBlock', {
  cidr: always(1, string, { go: 'CIDR' }),
  except: optional(2, atomicList(string)),
});
export interface IPBlock extends Static<typeof IPBlock> {}

export const NetworkPolicyPort = struct('extensions/v1beta1.NetworkPolicyPort', {
  protocol: pointer(1, named('v1.Protocol', string)),
  port: pointer(2, intOrString),
  endPort: pointer(3, int32),
});
export interface NetworkPolicyPort extends Static<typeof NetworkPolicyPort> {}

export const NetworkPolicyPeer = struct('extensions/v1beta1.NetworkPolicyPeer', {
  podSelector: pointer(1, LabelSelector),
  namespaceSelector: pointer(2, LabelSelector),
  ipBlock: pointer(3, IPBlock, { go: 'IPBlock' }),
});
export interface NetworkPolicyPeer extends Static<typeof NetworkPolicyPeer> {}

export const NetworkPolicyIngressRule = struct('extensions/v1beta1.NetworkPolicyIngressRule', {
  ports: optional(1, atomicList(NetworkPolicyPort)),
  from: optional(2, atomicList(NetworkPolicyPeer)),
});
export interface NetworkPolicyIngressRule extends Static<typeof NetworkPolicyIngressRule> {}

export const NetworkPolicyEgressRule = struct('extensions/v1beta1.NetworkPolicyEgressRule', {
  ports: optional(1, atomicList(NetworkPolicyPort)),
  to: optional(2, atomicList(NetworkPolicyPeer)),
});
export interface NetworkPolicyEgressRule extends Static<typeof NetworkPolicyEgressRule> {}

export const NetworkPolicySpec = struct('extensions/v1beta1.NetworkPolicySpec', {
  podSelector: always(1, LabelSelector),
  ingress: optional(2, atomicList(NetworkPolicyIngressRule)),
  egress: optional(3, atomicList(NetworkPolicyEgressRule)),
  policyTypes: optional(4, atomicList(named('v1beta1.PolicyType', string))),
});
export interface NetworkPolicySpec extends Static<typeof NetworkPolicySpec> {}

export const NetworkPolicy = kind(
  'extensions/v1beta1.NetworkPolicy',
  'extensions/v1beta1',
  { plural: 'networkpolicies', shortNames: ['netpol'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, NetworkPolicySpec),
  },
  {
    defaults: [defaultPolicyTypes],
  },
);
export interface NetworkPolicy extends Static<typeof NetworkPolicy> {}
