/** What a packet filter is to hold, whatever it held before. */
export interface TablePlan {
  /** Sets, and maps to verdicts, by name. */
  readonly lookups: ReadonlyMap<string, Lookup>;
  /** By name. */
  readonly chains: ReadonlyMap<string, Chain>;
}

/** A set of addresses, or of addresses with ports; a map when its elements have verdicts. */
export interface Lookup {
  readonly kind: 'set' | 'map';
  /** `ipv4_addr . inet_proto . inet_service` */
  readonly type: string;
  /** For who reads the rules. */
  readonly comment?: string;
  /** Element to verdict; the verdict is empty in sets. */
  readonly elements: ReadonlyMap<string, string>;
}

export interface Chain {
  /** `type filter hook forward priority 0; policy accept;` where packets enter. */
  readonly hook?: string;
  readonly rules: readonly string[];
}

export type IpFamily = 'IPv4' | 'IPv6';

export const familyOf = (address: string): IpFamily => (address.includes(':') ? 'IPv6' : 'IPv4');

/** As nftables calls things of a family. */
export const familyWords = {
  IPv4: { header: 'ip', addressType: 'ipv4_addr', suffix: 'v4' },
  IPv6: { header: 'ip6', addressType: 'ipv6_addr', suffix: 'v6' },
} as const;
