import type { IpFamily } from '../model/service-rule.ts';

export const tableName = 'kube-proxy';

/** How the table of one address family is built, whatever the services are. */
export interface TableOptions {
  readonly family: IpFamily;
  /** Masquerade all packets to cluster addresses. */
  readonly masqueradeAll: boolean;
  /** Which bit of the packet mark says that it is to be masqueraded. */
  readonly masqueradeBit: number;
  /** How packets of pods on this node are told; undefined when they can't be. */
  readonly localTraffic?: LocalTraffic | undefined;
  /** Node ports answer on these addresses; on all of the node when undefined. */
  readonly nodePortIps?: readonly string[] | undefined;
  /** Decides whether a source range of a load balancer has this node. */
  readonly nodeIp?: string | undefined;
  /** Of all services: packets to cluster addresses that nobody has are dropped. */
  readonly serviceCidrs?: readonly string[];
}

/** Conditions of nftables. */
export interface LocalTraffic {
  readonly isLocal: string;
  readonly isNotLocal: string;
}

/** `ip kube-proxy`, as commands name it. */
export const tableOf = ({ family }: Pick<TableOptions, 'family'>): string =>
  `${family === 'IPv4' ? 'ip' : 'ip6'} ${tableName}`;

/** How conditions of the family begin: `ip saddr`. */
export const ipWord = ({ family }: Pick<TableOptions, 'family'>): string =>
  family === 'IPv4' ? 'ip' : 'ip6';

export const addressType = ({ family }: Pick<TableOptions, 'family'>): string =>
  family === 'IPv4' ? 'ipv4_addr' : 'ipv6_addr';

/** `0x00004000` for bit 14, as the original writes it. */
export const masqueradeMark = ({ masqueradeBit }: Pick<TableOptions, 'masqueradeBit'>): string =>
  `0x${(2 ** masqueradeBit).toString(16).padStart(8, '0')}`;
