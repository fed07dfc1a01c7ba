/** The objects in a table for one port of one service. */
import { networkContains, parseCidr, parseIp } from '@coxswain/apimachinery';
import {
  isReachableFromOutside,
  type EndpointAddress,
  type Protocol,
  type ServiceRule,
} from '../model/service-rule.ts';
import type { Container } from './base-chains.ts';
import { endpointNameBase, serviceNameBase } from './chain-name.ts';
import { addressType, ipWord, masqueradeMark, type TableOptions } from './table-options.ts';

export interface ServiceChain {
  readonly name: string;
  readonly rules: readonly string[];
  /** The endpoints over which packets are spread, after the rules. */
  readonly pool?: { readonly protocol: Protocol; readonly endpoints: readonly EndpointAddress[] };
}

export interface Element {
  readonly container: Container;
  readonly key: string;
  /** `goto chain`, `drop`; undefined in sets. */
  readonly verdict?: string;
  readonly comment?: string;
}

export interface ServiceObjects {
  readonly chains: readonly ServiceChain[];
  /** Affinity sets: declaration by name. They record which clients are bound to an endpoint, and for how long. */
  readonly affinitySets: ReadonlyMap<string, string>;
  readonly elements: readonly Element[];
}

export function serviceObjects(rule: ServiceRule, options: TableOptions): ServiceObjects {
  const base = serviceNameBase(rule);
  const names: Names = {
    cluster: `service-${base}`,
    local: `local-${base}`,
    external: `external-${base}`,
    firewall: `firewall-${base}`,
  };
  const endpoints = [
    ...new Map(
      [...rule.clusterEndpoints, ...rule.localEndpoints].map((one) => [`${one.ip} ${one.port}`, one]),
    ).values(),
  ];
  const sticky = rule.affinitySeconds > 0 ? stickyObjects(rule, endpoints, options) : undefined;
  const spread = (name: string, to: readonly EndpointAddress[]): ServiceChain[] => {
    if (to.length === 0) return [];
    if (sticky !== undefined) return [{ name, rules: sticky.spread(to) }];
    return [{ name, rules: [], pool: { protocol: rule.protocol, endpoints: to } }];
  };
  return {
    chains: [
      ...spread(names.cluster, rule.clusterEndpoints),
      ...spread(names.local, rule.localEndpoints),
      ...externalChain(rule, names, options),
      ...firewallChain(rule, names, options),
      ...(sticky?.chains ?? []),
    ],
    affinitySets: sticky?.sets ?? noSets,
    elements: elementsOf(rule, names, endpoints),
  };
}

interface Names {
  readonly cluster: string;
  readonly local: string;
  readonly external: string;
  readonly firewall: string;
}

const noSets: ReadonlyMap<string, string> = new Map();

/** With session affinity, each endpoint has a chain that remembers its clients. */
function stickyObjects(rule: ServiceRule, endpoints: readonly EndpointAddress[], options: TableOptions) {
  const ip = ipWord(options);
  const protocol = rule.protocol.toLowerCase();
  const baseOf = new Map(endpoints.map((one) => [`${one.ip} ${one.port}`, endpointNameBase(rule, one)]));
  const base = (one: EndpointAddress) => baseOf.get(`${one.ip} ${one.port}`)!;
  const declaration = `{ type ${addressType(options)} ; flags dynamic,timeout ; timeout ${rule.affinitySeconds}s ; }`;
  return {
    sets: new Map(endpoints.map((one) => [`affinity-${base(one)}`, declaration])),
    chains: endpoints.map((one): ServiceChain => {
      const target = rule.family === 'IPv4' ? `${one.ip}:${one.port}` : `[${one.ip}]:${one.port}`;
      return {
        name: `endpoint-${base(one)}`,
        rules: [
          `update @affinity-${base(one)} { ${ip} saddr }`,
          `meta l4proto ${protocol} dnat to ${target}`,
        ],
      };
    }),
    spread: (to: readonly EndpointAddress[]): string[] => [
      ...to.map((one) => `${ip} saddr @affinity-${base(one)} goto endpoint-${base(one)}`),
      `numgen random mod ${to.length} vmap { ${to.map((one, index) => `${index} : goto endpoint-${base(one)}`).join(' , ')} }`,
    ],
  };
}

/** Exists if any endpoint is usable, since clients on this node may reach those of other nodes. */
function externalChain(rule: ServiceRule, names: Names, options: TableOptions): ServiceChain[] {
  if (!rule.hasEndpoints || !isReachableFromOutside(rule)) return [];
  const masquerade = `mark set mark or ${masqueradeMark(options)}`;
  const toCluster = `goto ${names.cluster}`;
  if (!rule.externalIsLocal)
    return [{ name: names.external, rules: [`${masquerade} comment "masquerade"`, toCluster] }];
  const { localTraffic } = options;
  return [
    {
      name: names.external,
      rules: [
        ...(localTraffic === undefined
          ? []
          : [`${localTraffic.isLocal} ${toCluster} comment "short-circuit pod traffic"`]),
        `fib saddr type local ${masquerade} comment "masquerade local traffic"`,
        `fib saddr type local ${toCluster} comment "short-circuit local traffic"`,
        ...(rule.localEndpoints.length > 0 ? [`goto ${names.local}`] : []),
      ],
    },
  ];
}

const isRestricted = ({ loadBalancerIps, sourceRanges }: ServiceRule): boolean =>
  loadBalancerIps.length > 0 && sourceRanges.length > 0;

function firewallChain(rule: ServiceRule, names: Names, options: TableOptions): ServiceChain[] {
  if (!isRestricted(rule)) return [];
  const nodeIp = options.nodeIp === undefined ? undefined : parseIp(options.nodeIp);
  const hasNode = rule.sourceRanges.some((text) => {
    const range = parseCidr(text);
    return range !== undefined && nodeIp !== undefined && networkContains(range, nodeIp);
  });
  // A load balancer's address may also be an address of the node; the node's own packets then come from it.
  const allowed = [...rule.sourceRanges, ...(hasNode ? rule.loadBalancerIps : [])];
  return [{ name: names.firewall, rules: [`${ipWord(options)} saddr != { ${allowed.join(' , ')} } drop`] }];
}

function elementsOf(rule: ServiceRule, names: Names, endpoints: readonly EndpointAddress[]): Element[] {
  const protocol = rule.protocol.toLowerCase();
  const at = (ip: string) => `${ip} . ${protocol} . ${rule.port}`;
  const missing = rule.hasEndpoints ? 'drop' : 'goto reject-chain';
  const hasInternal =
    rule.hasEndpoints && (rule.internalIsLocal ? rule.localEndpoints : rule.clusterEndpoints).length > 0;
  const hasExternal = rule.hasEndpoints && !(rule.externalIsLocal && rule.localEndpoints.length === 0);
  const comment = rule.name;
  const elements: Element[] = [{ container: 'cluster-ips', key: rule.clusterIp }];
  elements.push(
    hasInternal
      ? {
          container: 'service-ips',
          key: at(rule.clusterIp),
          verdict: `goto ${rule.internalIsLocal ? names.local : names.cluster}`,
        }
      : { container: 'no-endpoint-services', key: at(rule.clusterIp), verdict: missing, comment },
  );
  const external = `goto ${names.external}`;
  for (const ip of [...rule.externalIps, ...rule.loadBalancerIps]) {
    if (rule.hasEndpoints) elements.push({ container: 'service-ips', key: at(ip), verdict: external });
    if (!hasExternal)
      elements.push({ container: 'no-endpoint-services', key: at(ip), verdict: missing, comment });
  }
  if (isRestricted(rule))
    for (const ip of rule.loadBalancerIps)
      elements.push({ container: 'firewall-ips', key: at(ip), verdict: `goto ${names.firewall}` });
  if (rule.nodePort > 0) {
    const key = `${protocol} . ${rule.nodePort}`;
    if (rule.hasEndpoints) elements.push({ container: 'service-nodeports', key, verdict: external });
    if (!hasExternal) elements.push({ container: 'no-endpoint-nodeports', key, verdict: missing, comment });
  }
  for (const { ip, port, isLocal } of endpoints)
    if (isLocal)
      elements.push({ container: 'hairpin-connections', key: `${ip} . ${ip} . ${protocol} . ${port}` });
  return elements;
}
