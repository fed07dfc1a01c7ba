import { expect, test } from 'vitest';
import { endpoint, service, slice } from '../../test/objects.ts';
import { planService } from '../model/plan-services.ts';
import { serviceNameBase } from './chain-name.ts';
import { emptyTable, kernelTable } from './kernel-table.ts';
import type { TableOptions } from './table-options.ts';
import { TableState } from './table-state.ts';

const options: TableOptions = { family: 'IPv4', masqueradeAll: false, masqueradeBit: 14 };
const node = { name: 'node-a' };

const rulesOf = (ips: readonly string[], spec: object = {}, name = 'web') =>
  planService(
    service(name, spec),
    [
      slice(
        name,
        ips.map((ip) => endpoint(ip, { nodeName: 'node-a' })),
      ),
    ],
    node,
  )?.rules;

/** A table with the rules, and the commands that created them. */
function filledTable(ips: readonly string[], spec: object = {}) {
  const table = new TableState(options);
  table.setService('default/web', rulesOf(ips, spec));
  return { table, text: table.takeEverything(emptyTable).text };
}

/** The commands that take a service from one state to another. */
function change(before: readonly string[], after: readonly string[], spec: object = {}, specAfter = spec) {
  const { table } = filledTable(before, spec);
  table.setService('default/web', rulesOf(after, specAfter));
  return table.takeChanges();
}

test('names are those of the original', () => {
  expect(serviceNameBase({ name: 'ns1/svc1:p80', protocol: 'TCP' })).toBe('ULMVA6XW-ns1/svc1/tcp/p80');
});

test('the table is complete before services are', () => {
  const { text } = new TableState(options).takeEverything(emptyTable);

  for (const chain of ['nat-prerouting', 'nat-output', 'nat-postrouting', 'filter-forward'])
    expect(text).toContain(`add chain ip kube-proxy ${chain} { type `);
  expect(text).toContain('mark and 0x00004000 != 0 mark set mark xor 0x00004000 masquerade fully-random');
});

test('without endpoints clients are refused', () => {
  expect(filledTable([]).text).toContain(
    'add element ip kube-proxy no-endpoint-services { 10.0.0.10 . tcp . 80 comment "default/web:http" : goto reject-chain }',
  );
});

test('nothing is written when nothing changed', () => {
  expect(change(['10.244.0.2', '10.244.0.3'], ['10.244.0.3', '10.244.0.2'])).toEqual({
    text: '',
    liveChains: [],
    staleChains: [],
  });
});

test('an endpoint in place of another is one element, and no rule', () => {
  const { text } = change(['10.244.0.2', '10.244.0.3'], ['10.244.0.2', '10.244.0.4']);
  const mapCommands = text.split('\n').filter((line) => !line.includes('hairpin') && line !== '');

  expect(mapCommands).toEqual([
    'delete element ip kube-proxy service-endpoints-tcp-0 { 1 }',
    'add element ip kube-proxy service-endpoints-tcp-0 { 1 : 10.244.0.4 . 8080 }',
  ]);
});

test('one endpoint more changes how many the rule draws from', () => {
  const { text } = change(['10.244.0.2', '10.244.0.3', '10.244.0.4'], ['10.244.0.2', '10.244.0.3']);

  expect(text).toMatch(/flush chain ip kube-proxy service-\S+\n/);
  expect(text).toContain('delete element ip kube-proxy service-endpoints-tcp-0 { 2 }');
  expect(text).toContain('numgen random mod 2 offset 0 map @service-endpoints-tcp-0');
});

test('a service that goes leaves emptied chains, to be deleted later, and no element', () => {
  const { table } = filledTable(['10.244.0.2', '10.244.0.3']);
  table.setService('default/web', undefined);
  const { text, staleChains } = table.takeChanges();

  expect(staleChains).toEqual([expect.stringMatching(/^service-.*default\/web\/tcp\/http$/)]);
  expect(text).toContain('delete element ip kube-proxy service-ips { 10.0.0.10 . tcp . 80 }');
  expect(text).toContain('delete element ip kube-proxy cluster-ips { 10.0.0.10 }');
  expect(text).toContain('delete map ip kube-proxy service-endpoints-tcp-0');
  expect(text).not.toContain('delete chain');
});

test('what two services ask for stays until both are gone', () => {
  const { table } = filledTable(['10.244.0.2']);
  table.setService('default/twin', rulesOf(['10.244.0.2'], { clusterIP: '10.0.0.11' }, 'twin'));
  table.takeChanges();
  const hairpin = 'delete element ip kube-proxy hairpin-connections { 10.244.0.2 . 10.244.0.2 . tcp . 8080 }';

  table.setService('default/web', undefined);
  expect(table.takeChanges().text).not.toContain(hairpin);
  table.setService('default/twin', undefined);
  expect(table.takeChanges().text).toContain(hairpin);
});

test('clients stay with their endpoint where the service asks for it', () => {
  const sticky = (timeoutSeconds: number) => ({
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds } },
  });
  const { text } = filledTable(['10.244.0.2', '10.244.0.3'], sticky(60));

  expect(text).toMatch(
    /add set ip kube-proxy affinity-\S+ \{ type ipv4_addr ; flags dynamic,timeout ; timeout 60s ; \}/,
  );
  expect(text).toMatch(/ip saddr @affinity-\S+ goto endpoint-/);
  expect(text).toMatch(/update @affinity-\S+ \{ ip saddr \}/);

  // A set in use cannot be replaced, so whatever refers to it is emptied first.
  const lines = change(['10.244.0.2'], ['10.244.0.2'], sticky(60), sticky(90)).text.split('\n');
  const placeOf = (start: string) => lines.findIndex((line) => line.startsWith(start));
  expect(placeOf('delete set')).toBeGreaterThan(placeOf('flush chain ip kube-proxy endpoint-'));
  expect(placeOf('add set')).toBeGreaterThan(placeOf('delete set'));
  expect(placeOf('add rule')).toBeGreaterThan(placeOf('add set'));
});

test('a load balancer drops clients that are not on its list, but not the node when that is on it', () => {
  const spec = { type: 'LoadBalancer', loadBalancerSourceRanges: ['192.0.2.0/24'] };
  const balanced = {
    ...service('web', spec),
    status: { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } },
  } as ReturnType<typeof service>;
  const rules = planService(balanced, [slice('web', [endpoint('10.244.0.2')])], node)?.rules;
  const textOn = (nodeIp: string) => {
    const table = new TableState({ ...options, nodeIp });
    table.setService('default/web', rules);
    return table.takeEverything(emptyTable).text;
  };

  expect(textOn('198.51.100.1')).toMatch(/firewall-\S+ ip saddr != \{ 192\.0\.2\.0\/24 \} drop/);
  expect(textOn('192.0.2.1')).toMatch(
    /firewall-\S+ ip saddr != \{ 192\.0\.2\.0\/24 , 203\.0\.113\.7 \} drop/,
  );
});

test('what another process left is emptied or taken over', () => {
  const { table } = filledTable(['10.244.0.2', '10.244.0.3']);
  const { text, staleChains } = table.takeEverything({
    chains: ['services', 'service-AAAAAAAA-default/gone/tcp/http'],
    maps: ['service-ips', 'service-endpoints-tcp-7'],
    affinitySets: new Map([['affinity-BBBBBBBB-default/gone/tcp/http__10.244.0.9/80', 10]]),
  });

  expect(staleChains).toEqual(['service-AAAAAAAA-default/gone/tcp/http']);
  expect(text).toContain('delete map ip kube-proxy service-endpoints-tcp-7');
  expect(text).not.toContain('delete map ip kube-proxy service-ips');
  expect(text).toContain('delete set ip kube-proxy affinity-BBBBBBBB-default/gone/tcp/http__10.244.0.9/80');
});

test('the kernel tells what it has as JSON; other tables are not ours', () => {
  const listing = (kind: string, ...list: object[]) =>
    JSON.stringify({ nftables: [{ metainfo: {} }, ...list.map((one) => ({ [kind]: one }))] });
  const table = 'kube-proxy';

  expect(
    kernelTable([
      listing('chain', { table, name: 'services' }, { table: 'other', name: 'mine' }),
      listing('set', { table, name: 'cluster-ips' }, { table, name: 'affinity-x', timeout: 60 }),
      listing('map', { table, name: 'service-ips' }),
    ]),
  ).toEqual({ chains: ['services'], maps: ['service-ips'], affinitySets: new Map([['affinity-x', 60]]) });
});
