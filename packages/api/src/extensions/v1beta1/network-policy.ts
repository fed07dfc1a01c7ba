import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { defaultPolicyTypes } from '../../networking/v1/network-policy-defaults.ts';
import * as v1 from '../../networking/v1/index.ts';

export const IPBlock = t.structIn('extensions/v1beta1', v1.IPBlock, {
  fields: { cidr: t.always(1, t.string, { go: 'CIDR' }) },
});
export interface IPBlock extends t.Static<typeof IPBlock> {}

export const NetworkPolicyPort = t.structIn('extensions/v1beta1', v1.NetworkPolicyPort, {
  fields: { protocol: t.pointer(1, t.named('v1.Protocol', t.string)) },
});
export interface NetworkPolicyPort extends t.Static<typeof NetworkPolicyPort> {}

export const NetworkPolicyPeer = t.structIn('extensions/v1beta1', v1.NetworkPolicyPeer, {
  fields: { ipBlock: t.pointer(3, IPBlock, { go: 'IPBlock' }) },
});
export interface NetworkPolicyPeer extends t.Static<typeof NetworkPolicyPeer> {}

export const NetworkPolicyIngressRule = t.struct('extensions/v1beta1.NetworkPolicyIngressRule', {
  ports: t.optional(1, t.atomicList(NetworkPolicyPort)),
  from: t.optional(2, t.atomicList(NetworkPolicyPeer)),
});
export interface NetworkPolicyIngressRule extends t.Static<typeof NetworkPolicyIngressRule> {}

export const NetworkPolicyEgressRule = t.struct('extensions/v1beta1.NetworkPolicyEgressRule', {
  ports: t.optional(1, t.atomicList(NetworkPolicyPort)),
  to: t.optional(2, t.atomicList(NetworkPolicyPeer)),
});
export interface NetworkPolicyEgressRule extends t.Static<typeof NetworkPolicyEgressRule> {}

export const NetworkPolicySpec = t.struct('extensions/v1beta1.NetworkPolicySpec', {
  podSelector: t.always(1, LabelSelector),
  ingress: t.optional(2, t.atomicList(NetworkPolicyIngressRule)),
  egress: t.optional(3, t.atomicList(NetworkPolicyEgressRule)),
  policyTypes: t.optional(4, t.atomicList(t.named('v1beta1.PolicyType', t.string))),
});
export interface NetworkPolicySpec extends t.Static<typeof NetworkPolicySpec> {}

export const NetworkPolicy = t.kindIn(
  'extensions/v1beta1',
  v1.NetworkPolicy,
  { fields: { spec: t.optional(2, NetworkPolicySpec) } },
  { defaults: [defaultPolicyTypes] },
);
export interface NetworkPolicy extends t.Static<typeof NetworkPolicy> {}
