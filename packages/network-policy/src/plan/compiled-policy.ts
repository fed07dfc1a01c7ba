/** A policy with compiled selectors, created once for each version of the object. */
import type { NetworkPolicy } from '@coxswain/api/networking/v1/network-policy.ts';
import type {
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '@coxswain/api/networking/v1/network-policy-spec.ts';
import {
  labelSelectorFromSpec,
  type KubeObject,
  type LabelSelector,
  type LabelSelectorSpec,
} from '@coxswain/apimachinery';

export type NetworkPolicyObject = NetworkPolicy & KubeObject;
export type Direction = 'ingress' | 'egress';

export interface CompiledPolicy {
  readonly namespace: string;
  readonly name: string;
  readonly pods: LabelSelector;
  /** Undefined if the policy does not isolate in that direction. */
  readonly ingress: readonly PolicyRule[] | undefined;
  readonly egress: readonly PolicyRule[] | undefined;
}

/** An allowed connection. Without peers, everybody is allowed; without ports, every port and protocol. */
export interface PolicyRule {
  readonly peers: readonly PolicyPeer[];
  readonly ports: readonly NetworkPolicyPort[];
}

export type PolicyPeer =
  | { readonly kind: 'block'; readonly cidr: string; readonly except: readonly string[] }
  | {
      readonly kind: 'pods';
      /** Equal texts select equal pods. */
      readonly text: string;
      /** The namespace, if there is no namespace selector. */
      readonly namespace: string | undefined;
      readonly namespaces: LabelSelector;
      readonly pods: LabelSelector;
    };

const compiled = new WeakMap<NetworkPolicyObject, CompiledPolicy>();

export function compilePolicy(policy: NetworkPolicyObject): CompiledPolicy {
  let found = compiled.get(policy);
  if (found === undefined) compiled.set(policy, (found = compile(policy)));
  return found;
}

function compile({ metadata, spec }: NetworkPolicyObject): CompiledPolicy {
  const { namespace = '', name = '' } = metadata;
  // The API server sets the types; if they are missing, ingress is always included.
  const types = spec?.policyTypes ?? ['Ingress', ...(spec?.egress?.length ? ['Egress'] : [])];
  const rules = (
    list: readonly { peers: readonly NetworkPolicyPeer[]; ports: readonly NetworkPolicyPort[] }[],
  ) => list.map(({ peers, ports }) => ({ peers: peers.map((peer) => compilePeer(peer, namespace)), ports }));
  const ingress = (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from ?? [], ports: ports ?? [] }));
  const egress = (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to ?? [], ports: ports ?? [] }));
  return {
    namespace,
    name,
    pods: selectorOf(spec?.podSelector ?? {}),
    ingress: types.includes('Ingress') ? rules(ingress) : undefined,
    egress: types.includes('Egress') ? rules(egress) : undefined,
  };
}

function compilePeer(peer: NetworkPolicyPeer, ownNamespace: string): PolicyPeer {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if (ipBlock) return { kind: 'block', cidr: ipBlock.cidr, except: ipBlock.except ?? [] };
  const namespace = namespaceSelector ? undefined : ownNamespace;
  const namespaces = selectorOf(namespaceSelector ?? {});
  const pods = selectorOf(podSelector ?? {});
  const where = namespace === undefined ? `namespaces (${namespaces})` : `namespace ${namespace}`;
  return { kind: 'pods', text: `${where}, pods (${pods})`, namespace, namespaces, pods };
}

const selectorOf = (spec: unknown): LabelSelector => labelSelectorFromSpec(spec as LabelSelectorSpec);

/** All pod selectors of a policy. */
export const podSelectorsOf = ({ pods, ingress, egress }: CompiledPolicy): readonly LabelSelector[] => [
  pods,
  ...[...(ingress ?? []), ...(egress ?? [])].flatMap(({ peers }) =>
    peers.flatMap((peer) => (peer.kind === 'pods' ? [peer.pods] : [])),
  ),
];
