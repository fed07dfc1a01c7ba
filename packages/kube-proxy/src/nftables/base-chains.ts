/** The table without any service: sets, maps, and the chains on the kernel's hooks. */
import { addressType, ipWord, masqueradeMark, tableOf, type TableOptions } from './table-options.ts';

/** Sets and maps whose elements belong to services. */
export const containers = {
  'cluster-ips': { kind: 'set', comment: 'Active ClusterIPs', key: (ip: string) => ip },
  'service-ips': {
    kind: 'map',
    comment: 'ClusterIP, ExternalIP and LoadBalancer IP traffic',
    key: (ip: string) => `${ip} . inet_proto . inet_service : verdict`,
  },
  'service-nodeports': {
    kind: 'map',
    comment: 'NodePort traffic',
    key: () => 'inet_proto . inet_service : verdict',
  },
  'no-endpoint-services': {
    kind: 'map',
    comment: 'vmap to drop or reject packets to services with no endpoints',
    key: (ip: string) => `${ip} . inet_proto . inet_service : verdict`,
  },
  'no-endpoint-nodeports': {
    kind: 'map',
    comment: 'vmap to drop or reject packets to service nodeports with no endpoints',
    key: () => 'inet_proto . inet_service : verdict',
  },
  'firewall-ips': {
    kind: 'map',
    comment: 'destinations that are subject to LoadBalancerSourceRanges',
    key: (ip: string) => `${ip} . inet_proto . inet_service : verdict`,
  },
  'hairpin-connections': {
    kind: 'set',
    comment: 'service hairpin connections',
    key: (ip: string) => `${ip} . ${ip} . inet_proto . inet_service`,
  },
} as const;

export type Container = keyof typeof containers;

interface Hook {
  readonly chain: string;
  readonly type: 'filter' | 'nat';
  readonly hook: string;
  /** As a number, since nft accepts some names on some hooks only: -100 is dstnat, 100 srcnat. */
  readonly priority: number;
  readonly jumps: readonly string[];
}

const onlyNew = 'ct state new ';

const hooks: readonly Hook[] = [
  {
    chain: 'filter-prerouting-pre-dnat',
    type: 'filter',
    hook: 'prerouting',
    priority: -110,
    jumps: [`${onlyNew}jump firewall-check`],
  },
  {
    chain: 'filter-output-pre-dnat',
    type: 'filter',
    hook: 'output',
    priority: -110,
    jumps: [`${onlyNew}jump firewall-check`],
  },
  {
    chain: 'filter-input',
    type: 'filter',
    hook: 'input',
    priority: 0,
    jumps: [`${onlyNew}jump nodeport-endpoints-check`, `${onlyNew}jump service-endpoints-check`],
  },
  {
    chain: 'filter-forward',
    type: 'filter',
    hook: 'forward',
    priority: 0,
    jumps: [`${onlyNew}jump service-endpoints-check`, `${onlyNew}jump cluster-ips-check`],
  },
  {
    chain: 'filter-output',
    type: 'filter',
    hook: 'output',
    priority: 0,
    jumps: [`${onlyNew}jump service-endpoints-check`, `${onlyNew}jump cluster-ips-check`],
  },
  { chain: 'nat-prerouting', type: 'nat', hook: 'prerouting', priority: -100, jumps: ['jump services'] },
  { chain: 'nat-output', type: 'nat', hook: 'output', priority: -100, jumps: ['jump services'] },
  { chain: 'nat-postrouting', type: 'nat', hook: 'postrouting', priority: 100, jumps: ['jump masquerading'] },
];

/** Recreates everything, in a transaction whose later part adds the services. */
export function baseCommands(options: TableOptions): string[] {
  const table = tableOf(options);
  const rules = baseRules(options);
  return [
    `add table ${table} { comment "rules for kube-proxy" ; }`,
    // Deleted first, since a chain that another program attached to a different hook cannot be changed.
    ...hooks.flatMap(({ chain }) => [`add chain ${table} ${chain}`, `delete chain ${table} ${chain}`]),
    ...Object.keys(rules).flatMap((chain) => [
      `add chain ${table} ${chain}`,
      `flush chain ${table} ${chain}`,
    ]),
    ...Object.entries(containers).flatMap(([name, { kind, comment, key }]) => [
      `add ${kind} ${table} ${name} { type ${key(addressType(options))} ; comment "${comment}" ; }`,
      `flush ${kind} ${table} ${name}`,
    ]),
    ...nodePortSet(options),
    ...Object.entries(rules).flatMap(([chain, lines]) =>
      lines.map((line) => `add rule ${table} ${chain} ${line}`),
    ),
    ...hooks.flatMap(({ chain, type, hook, priority, jumps }) => [
      `add chain ${table} ${chain} { type ${type} hook ${hook} priority ${priority} ; }`,
      ...jumps.map((jump) => `add rule ${table} ${chain} ${jump}`),
    ]),
  ];
}

function nodePortSet(options: TableOptions): string[] {
  const table = tableOf(options);
  const { nodePortIps } = options;
  const add = `add set ${table} nodeport-ips { type ${addressType(options)} ; comment "IPs that accept NodePort traffic" ; }`;
  if (nodePortIps === undefined) return [add, `delete set ${table} nodeport-ips`];
  const fill =
    nodePortIps.length === 0 ? [] : [`add element ${table} nodeport-ips { ${nodePortIps.join(' , ')} }`];
  return [add, `flush set ${table} nodeport-ips`, ...fill];
}

const ports = 'meta l4proto . th dport';

function baseRules(options: TableOptions): Readonly<Record<string, readonly string[]>> {
  const ip = ipWord(options);
  const mark = masqueradeMark(options);
  const address = `${ip} daddr . ${ports}`;
  // Packets to loopback addresses cannot be forwarded.
  const noLoopback = options.family === 'IPv4' ? 'ip daddr != 127.0.0.0/8' : 'ip6 daddr != ::1';
  const nodeAddress = options.nodePortIps === undefined ? noLoopback : `${ip} daddr @nodeport-ips`;
  const nodeTarget = options.nodePortIps === undefined ? `fib daddr type local ${noLoopback}` : nodeAddress;
  return {
    'firewall-check': [`${address} vmap @firewall-ips`],
    'nodeport-endpoints-check': [`${nodeAddress} ${ports} vmap @no-endpoint-nodeports`],
    'service-endpoints-check': [`${address} vmap @no-endpoint-services`],
    'cluster-ips-check': [
      `${ip} daddr @cluster-ips reject comment "Reject traffic to invalid ports of ClusterIPs"`,
      ...(options.serviceCidrs?.length
        ? [
            `${ip} daddr { ${options.serviceCidrs.join(' , ')} } drop comment "Drop traffic to unallocated ClusterIPs"`,
          ]
        : []),
    ],
    'reject-chain': ['reject'],
    services: [
      ...masqueradeOutsiders(options),
      `${address} vmap @service-ips`,
      `${nodeTarget} ${ports} vmap @service-nodeports`,
    ],
    masquerading: [
      `mark and ${mark} != 0 mark set mark xor ${mark} masquerade fully-random`,
      // A pod that reaches itself through its service must not see its own address as the client's.
      `ct status dnat ${ip} saddr . ${ip} daddr . ${ports} @hairpin-connections masquerade fully-random`,
    ],
  };
}

/**
 * Clients outside the cluster may have a route to cluster addresses through this node; responses must return the same
 * way.
 */
function masqueradeOutsiders(options: TableOptions): string[] {
  const { masqueradeAll, localTraffic } = options;
  const target = `${ipWord(options)} daddr @cluster-ips`;
  const set = `mark set mark or ${masqueradeMark(options)}`;
  if (masqueradeAll) return [`${target} ${set} comment "masquerade all clusterIP traffic"`];
  if (localTraffic === undefined) return [];
  return [
    `${target} ${localTraffic.isNotLocal} ${set} comment "masquerade clusterIP traffic from outside cluster"`,
  ];
}
