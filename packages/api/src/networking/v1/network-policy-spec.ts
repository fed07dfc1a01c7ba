import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const IPBlock = t.struct('networking/v1.IPBlock', {
  cidr: t.always(1, t.string, { required: true, go: 'CIDR' }),
  except: t.optional(2, t.atomicList(t.string)),
});
export interface IPBlock extends t.Static<typeof IPBlock> {}

export const NetworkPolicyPort = t.struct('networking/v1.NetworkPolicyPort', {
  protocol: t.pointer(1, t.named('v1.Protocol', t.oneOf(['TCP', 'UDP', 'SCTP'])), { default: 'TCP' }),
  port: t.pointer(2, t.intOrString),
  endPort: t.pointer(3, t.int32),
});
export interface NetworkPolicyPort extends t.Static<typeof NetworkPolicyPort> {}

export const NetworkPolicyPeer = t.struct('networking/v1.NetworkPolicyPeer', {
  podSelector: t.pointer(1, LabelSelector),
  namespaceSelector: t.pointer(2, LabelSelector),
  ipBlock: t.pointer(3, IPBlock, { go: 'IPBlock' }),
});
export interface NetworkPolicyPeer extends t.Static<typeof NetworkPolicyPeer> {}

export const NetworkPolicyIngressRule = t.struct('networking/v1.NetworkPolicyIngressRule', {
  ports: t.optional(1, t.atomicList(NetworkPolicyPort)),
  from: t.optional(2, t.atomicList(NetworkPolicyPeer)),
});
export interface NetworkPolicyIngressRule extends t.Static<typeof NetworkPolicyIngressRule> {}

export const NetworkPolicyEgressRule = t.struct('networking/v1.NetworkPolicyEgressRule', {
  ports: t.optional(1, t.atomicList(NetworkPolicyPort)),
  to: t.optional(2, t.atomicList(NetworkPolicyPeer)),
});
export interface NetworkPolicyEgressRule extends t.Static<typeof NetworkPolicyEgressRule> {}

export const NetworkPolicySpec = t.struct('networking/v1.NetworkPolicySpec', {
  podSelector: t.always(1, LabelSelector),
  ingress: t.optional(2, t.atomicList(NetworkPolicyIngressRule)),
  egress: t.optional(3, t.atomicList(NetworkPolicyEgressRule)),
  policyTypes: t.optional(4, t.atomicList(t.named('v1.PolicyType', t.oneOf(['Ingress', 'Egress'])))),
});
export interface NetworkPolicySpec extends t.Static<typeof NetworkPolicySpec> {}
