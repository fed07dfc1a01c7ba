/** Conditions of rules on packets. */
import type { NetworkPolicyPort } from '@coxswain/api/networking/v1/network-policy-spec.ts';
import { formatCidr, networkContains, parseCidr, type IpNetwork } from '@coxswain/apimachinery';
import { familyWords, type IpFamily } from './table-plan.ts';

export interface PacketMatch {
  /** Matches packets of this family only. */
  readonly family?: IpFamily;
  /** `tcp dport { 80, 8080-8090 }`; empty matches everything. */
  readonly text: string;
}

export const everyPacket: PacketMatch = { text: '' };

/** Numeric, since not every machine has a list of protocol names. */
export const protocolNumbers: Readonly<Record<string, number>> = { TCP: 6, UDP: 17, SCTP: 132 };

/** All combinations of one match from each list. */
export const allOf = (some: readonly PacketMatch[], others: readonly PacketMatch[]): PacketMatch[] =>
  some.flatMap((one) =>
    others.flatMap((other) => {
      if (one.family !== undefined && other.family !== undefined && one.family !== other.family) return [];
      const family = one.family ?? other.family;
      const text = [one.text, other.text].filter((part) => part !== '').join(' ');
      return [family === undefined ? { text } : { family, text }];
    }),
  );

/** Undefined if it is not a network. `side` is `saddr` or `daddr`. */
export function blockMatch(
  { cidr, except }: { readonly cidr: string; readonly except: readonly string[] },
  side: string,
): PacketMatch | undefined {
  const network = parseCidr(cidr);
  if (network === undefined) return undefined;
  const family = network.address.version === 4 ? 'IPv4' : 'IPv6';
  const address = `${familyWords[family].header} ${side}`;
  const holes = widest(except.flatMap((text) => parseCidr(text) ?? [])).map(formatCidr);
  const excluded = holes.length === 0 ? '' : ` ${address} != { ${holes.join(', ')} }`;
  return { family, text: `${address} ${formatCidr(network)}${excluded}` };
}

/** Removes networks that lie within another one, since nft accepts no overlaps. */
const widest = (networks: readonly IpNetwork[]): readonly IpNetwork[] =>
  [...networks]
    .sort((a, b) => a.prefixLength - b.prefixLength)
    .reduce<IpNetwork[]>(
      (kept, one) => (kept.some((wide) => networkContains(wide, one.address)) ? kept : [...kept, one]),
      [],
    );

/** Ports by number, and whole protocols; named ports are resolved elsewhere. */
export function numberedPortMatches(ports: readonly NetworkPolicyPort[]): PacketMatch[] {
  return Object.entries(protocolNumbers).flatMap(([protocol, number]) => {
    const own = ports.filter((port) => (port.protocol ?? 'TCP') === protocol);
    if (own.some(({ port }) => port === undefined || port === null))
      return [{ text: `meta l4proto ${number}` }];
    const ranges = joined(
      own.flatMap(({ port, endPort }) =>
        typeof port === 'number' ? [[port, endPort ?? port] as const] : [],
      ),
    );
    if (ranges.length === 0) return [];
    const listed = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
    return [{ text: `${protocol.toLowerCase()} dport { ${listed.join(', ')} }` }];
  });
}

type Range = readonly [first: number, last: number];

/** Merges ranges that overlap or are adjacent. */
const joined = (ranges: readonly Range[]): readonly Range[] =>
  [...ranges]
    .sort(([a], [b]) => a - b)
    .reduce<Range[]>((done, [first, last]) => {
      const before = done.at(-1);
      if (before === undefined || first > before[1] + 1) return [...done, [first, last]];
      return [...done.slice(0, -1), [before[0], Math.max(before[1], last)]];
    }, []);
