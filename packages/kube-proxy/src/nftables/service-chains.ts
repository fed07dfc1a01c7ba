import type { Destinations, EndpointAddress, ServiceRule } from '../model/service-rule.ts';
import { affinitySet, endpointChain, externalChain, serviceChain } from './chain-name.ts';

export interface ChainOptions {
  /** Addresses of pods: what comes from elsewhere to a cluster address is masqueraded. Undefined: nothing is known. */
  readonly clusterCidr?: string | undefined;
  readonly masqueradeAll: boolean;
}

/** A chain of rules, or a set, with its name. */
export interface Block {
  readonly kind: 'chain' | 'set';
  readonly name: string;
  readonly lines: readonly string[];
}

const masquerade = 'jump mark-for-masquerade';

/** The chains that carry a service's packets to its endpoints. */
export function serviceBlocks(rule: ServiceRule, options: ChainOptions): readonly Block[] {
  const ip = rule.family === 'IPv4' ? 'ip' : 'ip6';
  const endpoints = new Map(
    [...rule.internal.endpoints, ...rule.external.endpoints].map((one) => [endpointChain(rule, one), one]),
  );
  const blocks: Block[] = [];
  if (rule.internal.endpoints.length > 0) {
    const source = options.masqueradeAll
      ? ''
      : options.clusterCidr === undefined
        ? undefined
        : `${ip} saddr != ${options.clusterCidr} `;
    const protocol = rule.protocol.toLowerCase();
    const address = `${ip} daddr ${rule.clusterIp} ${protocol} dport ${rule.port}`;
    const masquerades = source === undefined ? [] : [`${address} ${source}${masquerade}`];
    blocks.push(chain(serviceChain(rule), [...masquerades, ...balance(rule, rule.internal, ip)]));
  }
  if (isReachableFromOutside(rule) && rule.external.endpoints.length > 0) {
    // Masquerading would hide the client: with the policy Local its address stays.
    const masquerades = rule.external.keepsClientIp ? [] : [masquerade];
    blocks.push(chain(externalChain(rule), [...masquerades, ...balance(rule, rule.external, ip)]));
  }
  for (const [name, endpoint] of endpoints) blocks.push(chain(name, endpointLines(rule, endpoint, ip)));
  if (rule.affinitySeconds > 0) {
    const type = rule.family === 'IPv4' ? 'ipv4_addr' : 'ipv6_addr';
    const lines = [`type ${type};`, 'flags dynamic,timeout;', `timeout ${rule.affinitySeconds}s;`];
    for (const endpoint of endpoints.values())
      blocks.push({ kind: 'set', name: affinitySet(rule, endpoint), lines });
  }
  return blocks;
}

export const isReachableFromOutside = ({ nodePort, externalIps, loadBalancerIps }: ServiceRule): boolean =>
  nodePort > 0 || externalIps.length > 0 || loadBalancerIps.length > 0;

/** Clients known to an endpoint go back there; the others are spread at random. */
function balance(rule: ServiceRule, { endpoints }: Destinations, ip: string): string[] {
  const known = rule.affinitySeconds > 0 ? endpoints : [];
  const back = known.map(
    (endpoint) => `${ip} saddr @${affinitySet(rule, endpoint)} goto ${endpointChain(rule, endpoint)}`,
  );
  const goals = endpoints.map((endpoint, index) => `${index} : goto ${endpointChain(rule, endpoint)}`);
  return [...back, `numgen random mod ${endpoints.length} vmap { ${goals.join(', ')} }`];
}

/** A pod that reaches itself through its service must not see its own address as the client's. */
function endpointLines(rule: ServiceRule, endpoint: EndpointAddress, ip: string): string[] {
  const target =
    rule.family === 'IPv4' ? `${endpoint.ip}:${endpoint.port}` : `[${endpoint.ip}]:${endpoint.port}`;
  const remember = rule.affinitySeconds > 0 ? [`update @${affinitySet(rule, endpoint)} { ${ip} saddr }`] : [];
  return [
    `${ip} saddr ${endpoint.ip} ${masquerade}`,
    ...remember,
    `meta l4proto ${rule.protocol.toLowerCase()} dnat to ${target}`,
  ];
}

const chain = (name: string, lines: readonly string[]): Block => ({ kind: 'chain', name, lines });
