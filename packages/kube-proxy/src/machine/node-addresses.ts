import { existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { networkContains, parseCidr, parseIp, type KubeObject } from '@coxswain/apimachinery';
import { familyOf, ipFamilies, type IpFamily } from '../model/service-rule.ts';

export type NodeIps = Readonly<Partial<Record<IpFamily, string>>>;

/** The addresses known to the API server: internal before external ones, the first of each family. */
export function nodeIpsOf(node: KubeObject | undefined): NodeIps {
  const { status } = (node ?? {}) as {
    status?: { addresses?: readonly { readonly type: string; readonly address: string }[] };
  };
  const addresses = status?.addresses ?? [];
  const ips: Partial<Record<IpFamily, string>> = {};
  for (const wanted of ['InternalIP', 'ExternalIP'])
    for (const { type, address } of addresses)
      if (type === wanted && parseIp(address) !== undefined) ips[familyOf(address)] ??= address;
  return ips;
}

/** Includes addresses from the command line; unspecified addresses are ignored. */
export function withBindAddress(ips: NodeIps, bindAddress: string): NodeIps {
  const isUnspecified = parseIp(bindAddress)?.value === 0n;
  return bindAddress === '' || isUnspecified ? ips : { ...ips, [familyOf(bindAddress)]: bindAddress };
}

const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.');

/**
 * The addresses on which node ports are served; undefined for all addresses of the node. Ranges of one family leave the
 * other family unrestricted. An empty list means the node's own addresses, as in upstream's nftables mode.
 */
export function nodePortIps(
  ranges: readonly string[],
  family: IpFamily,
  nodeIps: NodeIps,
): string[] | undefined {
  const isPrimary = ranges.length === 0 || ranges[0] === 'primary';
  if (isPrimary) {
    const own = nodeIps[family];
    return own === undefined || isLoopback(own) ? undefined : [own];
  }
  const networks = ranges.flatMap((range) => {
    const network = parseCidr(range);
    return network === undefined || familyOf(range) !== family ? [] : [network];
  });
  if (networks.length === 0 || networks.some(({ prefixLength }) => prefixLength === 0)) return undefined;
  return machineIps().filter((ip) => {
    const address = parseIp(ip);
    return (
      !isLoopback(ip) &&
      address !== undefined &&
      networks.some((network) => networkContains(network, address))
    );
  });
}

const machineIps = (): string[] => [
  ...new Set(
    Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
  ),
];

/** IPv6 may be missing or disabled. */
export const machineFamilies = (): readonly IpFamily[] =>
  ipFamilies.filter((family) => family === 'IPv4' || hasIpv6());

function hasIpv6(): boolean {
  const off = '/proc/sys/net/ipv6/conf/all/disable_ipv6';
  return existsSync('/proc/net/if_inet6') && !(existsSync(off) && readFileSync(off, 'utf8').trim() === '1');
}
