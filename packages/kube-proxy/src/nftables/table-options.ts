import type { IpFamily } from '../model/service-rule.ts';

export const tableName = 'kube-proxy';

/** Options of the table of one address family that do not depend on services. */
export interface TableOptions {
  readonly family: IpFamily;
  /** Masquerade all packets to cluster addresses. */
  readonly masqueradeAll: boolean;
  /** The bit of the packet mark that requests masquerading. */
  readonly masqueradeBit: number;
  /** How to recognize packets of pods on this node; undefined if it is not possible. */
  readonly localTraffic?: LocalTraffic | undefined;
  /** Node ports are served on these addresses; on all addresses of the node if undefined. */
  readonly nodePortIps?: readonly string[] | undefined;
  /** Whether a source range of a load balancer contains this node. */
  readonly nodeIp?: string | undefined;
  /** The range of all services: packets to unassigned cluster addresses are dropped. */
  readonly serviceCidrs?: readonly string[];
}

/** In nftables syntax. */
export interface LocalTraffic {
  readonly isLocal: string;
  readonly isNotLocal: string;
}

/** `ip kube-proxy`, as in commands. */
export const tableOf = ({ family }: Pick<TableOptions, 'family'>): string =>
  `${family === 'IPv4' ? 'ip' : 'ip6'} ${tableName}`;

/** The prefix of conditions of the family: `ip saddr`. */
export const ipWord = ({ family }: Pick<TableOptions, 'family'>): string =>
  family === 'IPv4' ? 'ip' : 'ip6';

export const addressType = ({ family }: Pick<TableOptions, 'family'>): string =>
  family === 'IPv4' ? 'ipv4_addr' : 'ipv6_addr';

/** `0x00004000` for bit 14, in upstream's format. */
export const masqueradeMark = ({ masqueradeBit }: Pick<TableOptions, 'masqueradeBit'>): string =>
  `0x${(2 ** masqueradeBit).toString(16).padStart(8, '0')}`;
