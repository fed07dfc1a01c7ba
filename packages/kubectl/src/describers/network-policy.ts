import type * as networking from '@coxswain/api/networking/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { formatSelector } from './selector.ts';
import { DescriptionText, orNone, zoneText } from './text.ts';

type NetworkPolicy = Live<networking.NetworkPolicy>;

type Port = Live<networking.NetworkPolicyPort>;

type Peer = Live<networking.NetworkPolicyPeer>;

interface Rule {
  readonly ports?: readonly Port[];
  readonly peers?: readonly Peer[];
}

/** The words for a direction of traffic. */
interface Direction {
  readonly name: string;
  readonly peer: string;
  readonly origin: string;
}

const ingress: Direction = { name: 'ingress', peer: 'From', origin: 'source' };
const egress: Direction = { name: 'egress', peer: 'To', origin: 'destination' };

export const describeNetworkPolicy: Describer = async (object) => {
  const { metadata, spec = {} }: NetworkPolicy = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  text.field(0, 'Created on', goTime(metadata.creationTimestamp));
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.line(0, 'Spec:');
  const selector = formatSelector(spec.podSelector);
  const everything = '<none> (Allowing the specific traffic to all pods in this namespace)';
  text.line(1, `PodSelector:     ${selector === '<none>' ? everything : selector}`);
  const types = spec.policyTypes ?? [];
  const incoming = (spec.ingress ?? []).map(({ ports, from }) => ({ ports, peers: from }));
  const outgoing = (spec.egress ?? []).map(({ ports, to }) => ({ ports, peers: to }));
  describeDirection(text, ingress, types.includes('Ingress') ? incoming : undefined);
  describeDirection(text, egress, types.includes('Egress') ? outgoing : undefined);
  text.line(1, `Policy Types: ${orNone(types.join(', '))}`);
  return text.toString();
};

function describeDirection(
  text: DescriptionText,
  direction: Direction,
  rules: readonly Rule[] | undefined,
): void {
  if (rules === undefined) return text.line(1, `Not affecting ${direction.name} traffic`);
  text.line(1, `Allowing ${direction.name} traffic:`);
  if (rules.length === 0) {
    return text.line(2, `<none> (Selected pods are isolated for ${direction.name} connectivity)`);
  }
  rules.forEach((rule, index) => {
    if (index > 0) text.line(2, '----------');
    describePorts(text, rule.ports ?? []);
    describePeers(text, rule.peers ?? [], direction);
  });
}

function describePorts(text: DescriptionText, ports: readonly Port[]): void {
  if (ports.length === 0) return text.line(2, 'To Port: <any> (traffic allowed to all ports)');
  for (const { port = '<nil>', endPort, protocol = 'TCP' } of ports) {
    text.line(
      2,
      endPort === undefined
        ? `To Port: ${port}/${protocol}`
        : `To Port Range: ${port}-${endPort}/${protocol}`,
    );
  }
}

function describePeers(text: DescriptionText, peers: readonly Peer[], { peer, origin }: Direction): void {
  if (peers.length === 0) return text.line(2, `${peer}: <any> (traffic not restricted by ${origin})`);
  for (const { podSelector, namespaceSelector, ipBlock } of peers) {
    text.line(2, `${peer}:`);
    if (namespaceSelector) text.line(3, `NamespaceSelector: ${formatSelector(namespaceSelector)}`);
    if (podSelector) text.line(3, `PodSelector: ${formatSelector(podSelector)}`);
    if (ipBlock && !podSelector && !namespaceSelector) {
      text.line(3, 'IPBlock:');
      text.line(4, `CIDR: ${ipBlock.cidr}`);
      text.line(4, `Except: ${(ipBlock.except ?? []).join(', ')}`);
    }
  }
}

/** Formats a time like Go: `2026-01-02 03:04:05 +0000 UTC`, in local time. */
function goTime(timestamp: string | undefined | null): string {
  if (!timestamp) return '0001-01-01 00:00:00 +0000 UTC';
  const time = new Date(timestamp);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString();
  const name = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName');
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${zoneText(time)} ${name?.value ?? 'UTC'}`;
}
