import type { IpFamily, ProxyRules, ServiceRule } from '../model/service-rule.ts';
import { externalChain, serviceChain } from './chain-name.ts';
import { isReachableFromOutside, serviceBlocks } from './service-chains.ts';
import type { ChainOptions } from './service-chains.ts';

export interface RulesetOptions extends ChainOptions {
  /** Which bit of the packet mark says that it is to be masqueraded. */
  readonly masqueradeBit: number;
  /** Node ports answer on these addresses; on all of the node when empty. */
  readonly nodePortAddresses: readonly string[];
}

export const tableName = 'kube-proxy';

/**
 * The whole rule set, as `nft -f` reads it: each family's table is replaced in one transaction, so that no
 * packet sees half of it.
 */
export function nftablesRuleset(rules: ProxyRules, options: RulesetOptions): string {
  const families = (['IPv4', 'IPv6'] as const).map(
    (family) => [family, rules.services.filter((rule) => rule.family === family)] as const,
  );
  return families.map(([family, services]) => tableText(family, services, options)).join('\n');
}

function tableText(family: IpFamily, services: readonly ServiceRule[], options: RulesetOptions): string {
  const table = `table ${family === 'IPv4' ? 'ip' : 'ip6'} ${tableName}`;
  const blocks = services.flatMap((rule) => serviceBlocks(rule, options));
  const maps = [
    clusterIpSet(family, services),
    nodePortAddressSet(family, options),
    ...verdictMaps(family, services),
  ];
  const body = [
    ...maps,
    ...blocks.map(({ kind, name, lines }) => block(`${kind} ${name}`, lines)),
    ...baseChains(family, options),
    ...(services.some(({ sourceRanges }) => sourceRanges.length > 0)
      ? [firewallChain(family, services)]
      : []),
  ];
  // Adding first makes deleting safe when there is no table yet.
  return [`add ${table}`, `delete ${table}`, `${table} {`, body.map(indent).join('\n\n'), '}', ''].join('\n');
}

function clusterIpSet(family: IpFamily, services: readonly ServiceRule[]): string {
  const ips = [...new Set(services.map(({ clusterIp }) => clusterIp))];
  return block('set cluster-ips', [
    `type ${addressType(family)};`,
    'comment "Active cluster addresses";',
    ...elements(ips),
  ]);
}

function nodePortAddressSet(family: IpFamily, { nodePortAddresses }: RulesetOptions): string {
  const own = nodePortAddresses.filter((address) => (family === 'IPv6') === address.includes(':'));
  const type = [`type ${addressType(family)};`, 'flags interval;', 'comment "Where node ports answer";'];
  return block('set nodeport-ips', [...type, ...elements(own)]);
}

/** What decides by address and port where a packet goes. */
function verdictMaps(family: IpFamily, services: readonly ServiceRule[]): string[] {
  const byAddress: string[] = [];
  const byNodePort: string[] = [];
  const missing: string[] = [];
  const missingNodePorts: string[] = [];
  for (const rule of services) {
    const { internal, external } = rule;
    const protocol = rule.protocol.toLowerCase();
    const at = (ip: string) => `${ip} . ${protocol} . ${rule.port}`;
    const hasInternal = internal.endpoints.length > 0;
    (hasInternal ? byAddress : missing).push(
      `${at(rule.clusterIp)} : ${hasInternal ? `goto ${serviceChain(rule)}` : noEndpoint(internal.whenNone)}`,
    );
    if (!isReachableFromOutside(rule)) continue;
    const hasExternal = external.endpoints.length > 0;
    const goal = hasExternal ? `goto ${externalChain(rule)}` : noEndpoint(external.whenNone);
    for (const ip of [...rule.externalIps, ...rule.loadBalancerIps])
      (hasExternal ? byAddress : missing).push(`${at(ip)} : ${goal}`);
    if (rule.nodePort > 0)
      (hasExternal ? byNodePort : missingNodePorts).push(`${protocol} . ${rule.nodePort} : ${goal}`);
  }
  const addressKey = `type ${addressType(family)} . inet_proto . inet_service : verdict;`;
  const portKey = 'type inet_proto . inet_service : verdict;';
  return [
    block('map service-ips', [addressKey, ...elements(byAddress)]),
    block('map service-nodeports', [portKey, ...elements(byNodePort)]),
    block('map no-endpoint-services', [addressKey, ...elements(missing)]),
    block('map no-endpoint-nodeports', [portKey, ...elements(missingNodePorts)]),
  ];
}

const noEndpoint = (verdict: 'reject' | 'drop'): string =>
  verdict === 'drop' ? 'drop' : 'goto reject-chain';

/** The chains on the kernel's hooks, and what they share. */
function baseChains(family: IpFamily, options: RulesetOptions): string[] {
  const ip = family === 'IPv4' ? 'ip' : 'ip6';
  const mark = `0x${(2 ** options.masqueradeBit).toString(16)}`;
  const nodePortGuard =
    options.nodePortAddresses.length > 0 ? `${ip} daddr @nodeport-ips` : 'fib daddr type local';
  const lookup = `${ip} daddr . meta l4proto . th dport`;
  const ports = 'meta l4proto . th dport';
  return [
    block('chain services', [
      `${lookup} vmap @service-ips`,
      `${nodePortGuard} ${ports} vmap @service-nodeports`,
    ]),
    block('chain service-endpoints-check', [`${lookup} vmap @no-endpoint-services`]),
    block('chain nodeport-endpoints-check', [`${nodePortGuard} ${ports} vmap @no-endpoint-nodeports`]),
    block('chain cluster-ips-check', [
      `${ip} daddr @cluster-ips reject comment "No such port of the service"`,
    ]),
    block('chain reject-chain', ['reject']),
    block('chain mark-for-masquerade', [`mark set mark or ${mark}`]),
    block('chain masquerading', [
      `mark and ${mark} == 0 return`,
      `mark set mark xor ${mark}`,
      'masquerade fully-random',
    ]),
    hook('filter', 'input', 'filter', [
      'ct state new jump nodeport-endpoints-check',
      'ct state new jump service-endpoints-check',
    ]),
    hook('filter', 'forward', 'filter', [
      'ct state new jump service-endpoints-check',
      'ct state new jump cluster-ips-check',
    ]),
    hook('filter', 'output', 'filter', [
      'ct state new jump service-endpoints-check',
      'ct state new jump cluster-ips-check',
    ]),
    hook('nat', 'prerouting', 'dstnat', ['jump services']),
    hook('nat', 'output', outputNatPriority, ['jump services']),
    hook('nat', 'postrouting', 'srcnat', ['jump masquerading']),
  ];
}

/** What `dstnat` means, which nft only takes by name on the prerouting hook. */
const outputNatPriority = '-100';

/** Load balancer addresses with a list of clients drop everybody else, before any address is rewritten. */
function firewallChain(family: IpFamily, services: readonly ServiceRule[]): string {
  const ip = family === 'IPv4' ? 'ip' : 'ip6';
  const lines = services.flatMap(({ loadBalancerIps, sourceRanges, protocol, port }) =>
    sourceRanges.length === 0
      ? []
      : loadBalancerIps.map((address) => {
          const target = `${ip} daddr ${address} ${protocol.toLowerCase()} dport ${port}`;
          return `${target} ${ip} saddr != { ${sourceRanges.join(', ')} } drop`;
        }),
  );
  return hook('filter', 'prerouting', 'dstnat - 10', lines);
}

const hook = (type: string, name: string, priority: string, lines: readonly string[]): string =>
  block(`chain ${type}-${name}`, [
    `type ${type} hook ${name} priority ${priority}; policy accept;`,
    ...lines,
  ]);

const addressType = (family: IpFamily): string => (family === 'IPv4' ? 'ipv4_addr' : 'ipv6_addr');

const elements = (list: readonly string[]): string[] =>
  list.length === 0 ? [] : ['elements = {', ...list.map((element) => `  ${element},`), '}'];

const block = (head: string, lines: readonly string[]): string =>
  [`${head} {`, ...lines.map((line) => `  ${line}`), '}'].join('\n');

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');
