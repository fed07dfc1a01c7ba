import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { encodeTransaction } from './netlink/encode-transaction.ts';

const script = path.join(import.meta.dirname, '../test/both-ways.ts');
const isolated = (...command: readonly string[]) => ['--net', ...command];
const canFilter = spawnSync('unshare', isolated('nft', 'add', 'table', 'ip', 'trial')).status === 0;

const before = ['ip', 'ip6']
  .map(
    (family) => `add table ${family} t
add map ${family} t places { typeof numgen random mod 1 : ${family} daddr . tcp dport ; }
add map ${family} t services { type ${family === 'ip' ? 'ipv4' : 'ipv6'}_addr . inet_proto . inet_service : verdict ; }
add set ${family} t addresses { type ${family === 'ip' ? 'ipv4' : 'ipv6'}_addr ; }
add map ${family} t ports { type inet_proto . inet_service : verdict ; }
`,
  )
  .join('');

const addressOf = (family: string, last: number): string =>
  family === 'ip' ? `10.0.0.${last}` : `fd00::${last.toString(16)}`;
const targetOf = (family: string, last: number): string =>
  family === 'ip' ? `10.0.0.${last}:53` : `[fd00::${last.toString(16)}]:53`;

const fill = (family: string): string => `add chain ${family} t service-A-ns/a/tcp/http
flush chain ${family} t service-A-ns/a/tcp/http
add chain ${family} t service-B-ns/b/udp/dns
add element ${family} t places { 16 : ${addressOf(family, 1)} . 80 , 17 : ${addressOf(family, 2)} . 8080 }
add rule ${family} t service-A-ns/a/tcp/http meta l4proto tcp dnat ${family} addr . port to numgen random mod 2 offset 16 map @places
add rule ${family} t service-B-ns/b/udp/dns meta l4proto udp dnat to ${targetOf(family, 3)}
add element ${family} t services { ${addressOf(family, 9)} . tcp . 80 : goto service-A-ns/a/tcp/http , ${addressOf(family, 9)} . sctp . 9 comment "ns/c:s" : drop }
add element ${family} t addresses { ${addressOf(family, 9)} }
add element ${family} t ports { udp . 30053 : goto service-B-ns/b/udp/dns }
`;

const change = (family: string): string => `add chain ${family} t service-A-ns/a/tcp/http
flush chain ${family} t service-A-ns/a/tcp/http
delete element ${family} t places { 17 }
add rule ${family} t service-A-ns/a/tcp/http meta l4proto tcp dnat to ${targetOf(family, 1)}
delete element ${family} t ports { udp . 30053 }
flush chain ${family} t service-B-ns/b/udp/dns
`;

const both = (transactions: readonly string[]) => {
  const { stdout, stderr } = spawnSync('unshare', isolated(process.execPath, script), {
    input: JSON.stringify({ before, transactions }),
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { nft: string; direct: string; byNft: readonly string[] };
};

test.skipIf(!canFilter)('what goes to the kernel directly is what nft makes of it', () => {
  const transactions = ['ip', 'ip6'].flatMap((family) => [fill(family), change(family)]);
  const { nft, direct, byNft } = both(transactions);
  expect(direct).toBe(nft);
  expect(direct).toContain('dnat to [fd00::1]:53');
  expect(byNft).toEqual([]);
});

test.skipIf(!canFilter)('what is not understood, and what the kernel refuses, goes by nft', () => {
  const masquerade = 'add chain ip t other\nadd rule ip t other ip saddr 10.0.0.0/8 counter\n';
  const unknown = 'delete chain ip t nowhere\n';
  const { nft, direct, byNft } = both([masquerade]);
  expect(direct).toBe(nft);
  expect(byNft).toEqual([masquerade]);
  expect(() => both([unknown])).toThrow('No such file or directory');
});

test.each([
  'add element ip t addresses { 10.0.0.0/8 }',
  'add element ip t addresses { @other }',
  'add element ip t services { 10.0.0.1 . tcp . 80 : queue }',
  'add element ip t services { 10.0.0.1 . 65536 }',
  'add chain ip t base { type nat hook output priority 0 ; }',
  'add rule ip t a tcp dport 80 accept',
  'add rule ip t a meta l4proto icmp dnat to 10.0.0.1:80',
  'delete map ip t services',
  'add element netdev t addresses { 10.0.0.1 }',
])('"%s" is left to nft', (command) => {
  expect(encodeTransaction(`${command}\n`)).toBeUndefined();
});

test('a transaction with one command that is left to nft is left to nft as a whole', () => {
  expect(encodeTransaction('add chain ip t a\n')).toBeDefined();
  expect(encodeTransaction('add chain ip t a\nadd rule ip t a accept\n')).toBeUndefined();
});

test('elements that are too many for one message are left to nft', () => {
  const elements = Array.from({ length: 4_000 }, (_, place) => `${place} : 10.0.0.1 . 80`).join(' , ');
  expect(encodeTransaction(`add element ip t places { ${elements} }\n`)).toBeUndefined();
});
