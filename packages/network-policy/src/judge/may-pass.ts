/** Decides whether policies allow a packet: the question that packet filter rules answer, evaluated directly. */
import type { NetworkPolicyPort } from '@coxswain/api/networking/v1/network-policy-spec.ts';
import { networkContains, parseCidr, parseIp, type Labels } from '@coxswain/apimachinery';
import {
  compilePolicy,
  type CompiledPolicy,
  type Direction,
  type NetworkPolicyObject,
  type PolicyPeer,
  type PolicyRule,
} from '../plan/compiled-policy.ts';
import type { PolicyPod } from '../plan/policy-pod.ts';

export interface Packet {
  readonly from: PacketEnd;
  /** After the translation of Service addresses. */
  readonly to: PacketEnd;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  /** The destination. */
  readonly port: number;
}

export interface PacketEnd {
  readonly address: string;
  /** Undefined for ends that policies know only by address: machines, nodes, and pods in the network of their node. */
  readonly pod?: PolicyPod | undefined;
  /** The node to which the address belongs. */
  readonly nodeName?: string | undefined;
}

export interface PoliciesInEffect {
  readonly policies: Iterable<NetworkPolicyObject>;
  /** Labels by name. */
  readonly namespaces: ReadonlyMap<string, Labels>;
}

/** Why a packet does not pass: none of the policies that isolate its sender or receiver allows it. */
export interface Blocked {
  readonly direction: Direction;
  readonly policies: readonly CompiledPolicy[];
}

export const mayPass = (inEffect: PoliciesInEffect, packet: Packet): boolean =>
  blockedBy(inEffect, packet) === undefined;

/** A packet must be allowed out and in. A pod always reaches itself, and a pod and its node always reach each other. */
export function blockedBy({ policies, namespaces }: PoliciesInEffect, packet: Packet): Blocked | undefined {
  const { from, to } = packet;
  if (from.pod !== undefined && from.pod.uid === to.pod?.uid) return undefined;
  if (isNodeOf(from, to) || isNodeOf(to, from)) return undefined;
  for (const direction of ['egress', 'ingress'] as const) {
    const [own, other] = direction === 'egress' ? [from, to] : [to, from];
    const isolating = isolatingPolicies(policies, direction, own.pod);
    const isAllowed = isolating.some((policy) =>
      policy[direction]!.some((rule) => allows(rule, other, packet, namespaces)),
    );
    if (isolating.length > 0 && !isAllowed) return { direction, policies: isolating };
  }
  return undefined;
}

/** The policies that allow the pod only what they list. */
export const isolatingPolicies = (
  policies: Iterable<NetworkPolicyObject>,
  direction: Direction,
  pod: PolicyPod | undefined,
): readonly CompiledPolicy[] =>
  [...policies].map(compilePolicy).filter((policy) => isolates(policy, direction, pod));

const isNodeOf = ({ nodeName }: PacketEnd, { pod }: PacketEnd): boolean =>
  nodeName !== undefined && nodeName === pod?.nodeName;

const isolates = (policy: CompiledPolicy, direction: Direction, pod: PolicyPod | undefined): boolean =>
  policy[direction] !== undefined && pod?.namespace === policy.namespace && policy.pods.matches(pod.labels);

const allows = (
  { peers, ports }: PolicyRule,
  other: PacketEnd,
  packet: Packet,
  namespaces: PoliciesInEffect['namespaces'],
): boolean =>
  (peers.length === 0 || peers.some((peer) => isPeer(peer, other, namespaces))) &&
  (ports.length === 0 || ports.some((port) => isPort(port, packet)));

function isPeer(
  peer: PolicyPeer,
  { address, pod }: PacketEnd,
  namespaces: PoliciesInEffect['namespaces'],
): boolean {
  if (peer.kind === 'block')
    return isWithin(address, peer.cidr) && !peer.except.some((cidr) => isWithin(address, cidr));
  if (pod === undefined) return false;
  const labels = namespaces.get(pod.namespace);
  const isInNamespace =
    peer.namespace === undefined
      ? labels !== undefined && peer.namespaces.matches(labels)
      : peer.namespace === pod.namespace;
  return isInNamespace && peer.pods.matches(pod.labels);
}

function isWithin(text: string, cidr: string): boolean {
  const [address, network] = [parseIp(text), parseCidr(cidr)];
  return address !== undefined && network !== undefined && networkContains(network, address);
}

/** A port name is resolved by the destination pod, in both directions. */
function isPort({ port, endPort, protocol }: NetworkPolicyPort, packet: Packet): boolean {
  if ((protocol ?? 'TCP') !== packet.protocol) return false;
  if (port === undefined || port === null) return true;
  if (typeof port === 'number') return packet.port >= port && packet.port <= (endPort ?? port);
  return (packet.to.pod?.namedPorts ?? []).some(
    (one) => one.name === port && one.protocol === packet.protocol && one.port === packet.port,
  );
}
