/** Names that are there and names that are not, near each other. */
import { namespace } from './objects.ts';

const zone = 'cluster.local';

const ofNamespace = (
  'web _http._tcp.web _http._udp.web _dns._udp.web http.tcp.web db _sql._tcp.db db-0.db 10-244-0-3.db 10-244-0-4.db ' +
  'fd00--0.db fd00-1--7.db idle noports solo.noports _x._tcp.noports away alias circle ext-ip nix a.b.c.web a.web ' +
  '10-244-0-11.web *'
).split(' ');

const ofPods = ['', '10-1-2-3.', 'fd00--1.', 'web-1.'];

const reversed = [
  '2.0.244.10',
  '4.0.244.10',
  '9.0.244.10',
  '11.0.244.10',
  '7.7.96.10',
  '244.10',
  '1.1.1.1',
].map((name) => `${name}.in-addr.arpa`);

const reversedIpv6 = [
  `${'0.'.repeat(28)}d.f.`.replace(/^/, '0.0.'),
  `7.${'0.'.repeat(23)}1.0.0.0.0.0.d.f.`,
].map((name) => `${name}ip6.arpa`);

export const names: readonly string[] = [
  ...ofNamespace.map((name) => `${name}.${namespace}.svc.${zone}`),
  ...ofPods.map((name) => `${name}${namespace}.pod.${zone}`),
  `10-1-2-3.nix.pod.${zone}`,
  ...['', 'svc.', 'pod.', 'x.', 'dns-version.', 'a.dns-version.', 'ns.dns.', 'x.ns.dns.', 'dns.'].map(
    (name) => name + zone,
  ),
  ...[namespace, 'nix', 'web.nix', 'web.*'].map((name) => `${name}.svc.${zone}`),
  `kubernetes.default.svc.${zone}`,
  `WEB.Names.Svc.Cluster.Local`,
  ...reversed,
  ...reversedIpv6,
];

export const types = ['A', 'AAAA', 'SRV', 'CNAME', 'TXT', 'PTR', 'NS', 'SOA', 'MX', 'ANY'] as const;
