/** Plans the packet filter of one node from policies, pods and namespaces. */
import type { Labels } from '@coxswain/apimachinery';
import {
  compilePolicy,
  podSelectorsOf,
  type CompiledPolicy,
  type Direction,
  type NetworkPolicyObject,
  type PolicyPeer,
  type PolicyRule,
} from './compiled-policy.ts';
import {
  allOf,
  blockMatch,
  everyPacket,
  numberedPortMatches,
  protocolNumbers,
  type PacketMatch,
} from './packet-match.ts';
import { podClasses, podsMatching, type PodClasses } from './pod-classes.ts';
import type { PolicyPod } from './policy-pod.ts';
import { stableName } from './stable-name.ts';
import {
  familyOf,
  familyWords,
  type Chain,
  type IpFamily,
  type Lookup,
  type TablePlan,
} from './table-plan.ts';

export interface PolicyInputs {
  /** The node whose pods are protected. */
  readonly nodeName: string;
  readonly policies: Iterable<NetworkPolicyObject>;
  /** Of the whole cluster. */
  readonly pods: Iterable<PolicyPod>;
  /** Labels by name. */
  readonly namespaces: ReadonlyMap<string, Labels>;
}

/** The order in which a packet passes them: it must be allowed out before it is allowed in. */
const directions = [
  { direction: 'egress', own: 'saddr', other: 'daddr', priority: 0 },
  { direction: 'ingress', own: 'daddr', other: 'saddr', priority: 1 },
] as const;

/**
 * Packets between a pod and its own node do not pass the hook `forward` and so are always allowed. Other packets are
 * looked up by the pod's address, which leads to the chain of all pods selected by the same policies. It leads to one
 * chain per policy; a packet that none of them accepts is dropped.
 */
export function planPolicies({ nodeName, policies, pods, namespaces }: PolicyInputs): TablePlan {
  const compiled = [...policies].map(compilePolicy);
  const live = newestByAddress(pods);
  const classes = podClasses(live, compiled.flatMap(podSelectorsOf));
  const draft = new Draft(live, classes, namespaces);
  const isolatedPods = new Set<PolicyPod>();
  for (const { direction, own, priority } of directions) {
    const selecting = new Map<PolicyPod, CompiledPolicy[]>();
    for (const policy of compiled) {
      if (policy[direction] === undefined) continue;
      for (const pod of podsMatching(classes.get(policy.namespace) ?? [], policy.pods)) {
        if (pod.nodeName !== nodeName) continue;
        selecting.set(pod, [...(selecting.get(pod) ?? []), policy]);
        isolatedPods.add(pod);
      }
    }
    draft.isolate(direction, own, priority, selecting);
  }
  draft.allowThemselves(isolatedPods);
  return draft;
}

/** A reused address belongs to the newest pod, whatever the status of the older one says. */
function newestByAddress(pods: Iterable<PolicyPod>): PolicyPod[] {
  const byAddress = new Map<string, PolicyPod>();
  for (const pod of pods)
    for (const address of pod.addresses) {
      const other = byAddress.get(address);
      if (other === undefined || other.createdAt <= pod.createdAt) byAddress.set(address, pod);
    }
  return [...new Set(byAddress.values())];
}

class Draft implements TablePlan {
  readonly lookups = new Map<string, Lookup>();
  readonly chains = new Map<string, Chain>();
  readonly #pods: readonly PolicyPod[];
  readonly #classes: PodClasses;
  readonly #namespaces: ReadonlyMap<string, Labels>;
  readonly #families: readonly IpFamily[];
  /** Names of chains, by the policies that select their pods. */
  readonly #podChains = new Map<string, string>();
  readonly #selected = new Map<string, readonly PolicyPod[]>();

  constructor(pods: readonly PolicyPod[], classes: PodClasses, namespaces: ReadonlyMap<string, Labels>) {
    this.#pods = pods;
    this.#classes = classes;
    this.#namespaces = namespaces;
    const hasIpv6 = pods.some(({ addresses }) => addresses.some((address) => familyOf(address) === 'IPv6'));
    this.#families = hasIpv6 ? ['IPv4', 'IPv6'] : ['IPv4'];
  }

  /** The chain on the hook, and everything reachable from it. */
  isolate(
    direction: Direction,
    own: string,
    priority: number,
    selecting: ReadonlyMap<PolicyPod, readonly CompiledPolicy[]>,
  ): void {
    const verdicts = new Map(
      [...selecting].map(([pod, policies]) => [pod, this.#podChain(direction, policies)]),
    );
    const rules = ['ct state established,related accept', ...this.#selfRules()];
    for (const family of this.#families) {
      const { header, addressType, suffix } = familyWords[family];
      const elements = addressPairs(selecting.keys(), family, (address, pod) => [
        address,
        `goto ${verdicts.get(pod)}`,
      ]);
      this.lookups.set(`${direction}-pods-${suffix}`, {
        kind: 'map',
        type: `${addressType} : verdict`,
        elements,
      });
      rules.push(`${header} ${own} vmap @${direction}-pods-${suffix}`);
    }
    const hook = `type filter hook forward priority ${priority}; policy accept;`;
    this.chains.set(direction, { hook, rules });
  }

  /** A pod that reaches itself through a Service is always allowed. */
  allowThemselves(pods: ReadonlySet<PolicyPod>): void {
    for (const family of this.#families) {
      const { addressType, suffix } = familyWords[family];
      const elements = addressPairs(pods, family, (address) => [`${address} . ${address}`, '']);
      this.lookups.set(`itself-${suffix}`, {
        kind: 'set',
        type: `${addressType} . ${addressType}`,
        elements,
      });
    }
  }

  #selfRules(): string[] {
    return this.#families.map((family) => {
      const { header, suffix } = familyWords[family];
      return `${header} saddr . ${header} daddr @itself-${suffix} accept`;
    });
  }

  /** The chain of all pods selected by the same policies. */
  #podChain(direction: Direction, policies: readonly CompiledPolicy[]): string {
    const goals = policies.map((policy) => chainOf(policy, direction)).sort();
    const identity = goals.join(' ');
    const known = this.#podChains.get(identity);
    if (known !== undefined) return known;
    const name = stableName(`${direction}-of`, identity);
    this.#podChains.set(identity, name);
    for (const policy of policies) this.#addPolicy(direction, policy);
    this.chains.set(name, { rules: [...goals.map((goal) => `jump ${goal}`), 'drop'] });
    return name;
  }

  #addPolicy(direction: Direction, policy: CompiledPolicy): void {
    const name = chainOf(policy, direction);
    if (this.chains.has(name)) return;
    const rules = (policy[direction] ?? []).flatMap((rule) => this.#ruleTexts(direction, rule));
    this.chains.set(name, { rules: [...new Set(rules)] });
  }

  #ruleTexts(direction: Direction, { peers, ports }: PolicyRule): string[] {
    const side = direction === 'ingress' ? 'saddr' : 'daddr';
    const who = peers.length === 0 ? [everyPacket] : peers.flatMap((peer) => this.#peerMatches(peer, side));
    const where =
      ports.length === 0 ? [everyPacket] : [...numberedPortMatches(ports), ...this.#namedPortMatches(ports)];
    return allOf(who, where).map(({ text }) => (text === '' ? 'accept' : `${text} accept`));
  }

  #peerMatches(peer: PolicyPeer, side: string): PacketMatch[] {
    if (peer.kind === 'block') {
      const match = blockMatch(peer, side);
      return match === undefined ? [] : [match];
    }
    return this.#families.map((family) => {
      const { header, addressType, suffix } = familyWords[family];
      const name = `${stableName('pods', peer.text)}-${suffix}`;
      if (!this.lookups.has(name))
        this.lookups.set(name, {
          kind: 'set',
          type: addressType,
          comment: peer.text,
          elements: addressPairs(this.#podsOf(peer), family, (address) => [address, '']),
        });
      return { family, text: `${header} ${side} @${name}` };
    });
  }

  #podsOf(peer: PolicyPeer & { kind: 'pods' }): readonly PolicyPod[] {
    const known = this.#selected.get(peer.text);
    if (known !== undefined) return known;
    const namespaces =
      peer.namespace === undefined
        ? [...this.#namespaces].flatMap(([name, labels]) => (peer.namespaces.matches(labels) ? [name] : []))
        : [peer.namespace];
    const pods = namespaces.flatMap((name) => podsMatching(this.#classes.get(name) ?? [], peer.pods));
    this.#selected.set(peer.text, pods);
    return pods;
  }

  /** A port name is resolved by each destination pod. In both directions, that pod is the packet's destination. */
  #namedPortMatches(
    ports: readonly { port?: number | string | null; protocol?: string | null }[],
  ): PacketMatch[] {
    const wanted = new Set(
      ports.flatMap(({ port, protocol }) =>
        typeof port === 'string' ? [`${port}/${protocol ?? 'TCP'}`] : [],
      ),
    );
    if (wanted.size === 0) return [];
    const text = [...wanted].sort().join(' ');
    return this.#families.map((family) => {
      const { header, addressType, suffix } = familyWords[family];
      const set = `${stableName('ports', text)}-${suffix}`;
      if (!this.lookups.has(set))
        this.lookups.set(set, {
          kind: 'set',
          type: `${addressType} . inet_proto . inet_service`,
          comment: text,
          elements: portElements(this.#pods, family, wanted),
        });
      return { family, text: `${header} daddr . meta l4proto . th dport @${set}` };
    });
  }
}

function addressPairs(
  pods: Iterable<PolicyPod>,
  family: IpFamily,
  pairOf: (address: string, pod: PolicyPod) => readonly [string, string],
): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const pod of pods)
    for (const address of pod.addresses) if (familyOf(address) === family) pairs.set(...pairOf(address, pod));
  return pairs;
}

function portElements(pods: readonly PolicyPod[], family: IpFamily, wanted: ReadonlySet<string>) {
  const elements = new Map<string, string>();
  for (const { addresses, namedPorts } of pods)
    for (const { name, protocol, port } of namedPorts)
      if (wanted.has(`${name}/${protocol}`))
        for (const address of addresses)
          if (familyOf(address) === family)
            elements.set(`${address} . ${protocolNumbers[protocol]} . ${port}`, '');
  return elements;
}

const chainNames = new WeakMap<CompiledPolicy, Readonly<Record<Direction, string>>>();

/** The name of the policy's rules in the packet filter, made once for each version of the policy. */
function chainOf(policy: CompiledPolicy, direction: Direction): string {
  let names = chainNames.get(policy);
  if (names === undefined) {
    const key = `${policy.namespace}/${policy.name}`;
    const nameOf = (of: Direction): string => stableName(of, key, key);
    chainNames.set(policy, (names = { ingress: nameOf('ingress'), egress: nameOf('egress') }));
  }
  return names[direction];
}
