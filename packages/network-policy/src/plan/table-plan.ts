/** The desired contents of a packet filter, independent of its current contents. */
export interface TablePlan {
  /** Sets, and verdict maps, by name. */
  readonly lookups: ReadonlyMap<string, Lookup>;
  /** Chains by name. */
  readonly chains: ReadonlyMap<string, Chain>;
}

/** A set of addresses, or of addresses with ports; a map if its elements have verdicts. */
export interface Lookup {
  readonly kind: 'set' | 'map';
  /** `ipv4_addr . inet_proto . inet_service` */
  readonly type: string;
  /** For people who read the rules. */
  readonly comment?: string;
  /** Element to verdict; the verdict is empty in sets. */
  readonly elements: ReadonlyMap<string, string>;
}

export interface Chain {
  /** `type filter hook forward priority 0; policy accept;` for chains where packets enter. */
  readonly hook?: string;
  readonly rules: readonly string[];
}

export type IpFamily = 'IPv4' | 'IPv6';

export const familyOf = (address: string): IpFamily => (address.includes(':') ? 'IPv6' : 'IPv4');

/** The names of nftables for each family. */
export const familyWords = {
  IPv4: { header: 'ip', addressType: 'ipv4_addr', suffix: 'v4' },
  IPv6: { header: 'ip6', addressType: 'ipv6_addr', suffix: 'v6' },
} as const;
