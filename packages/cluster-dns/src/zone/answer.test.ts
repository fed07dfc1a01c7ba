import { expect, test } from 'vitest';
import type { DnsResponse, Question } from '../message.ts';
import { answerFromZone, type Zone } from './answer.ts';
import type { ClusterView, EndpointSliceObject, ServiceObject } from './cluster-view.ts';

const service = (name: string, spec: object): ServiceObject =>
  ({ metadata: { name, namespace: 'shop' }, spec }) as unknown as ServiceObject;

const slice = (of: string, endpoints: object[], ports: object[]): EndpointSliceObject =>
  ({
    metadata: { name: `${of}-x`, namespace: 'shop', labels: { 'kubernetes.io/service-name': of } },
    endpoints,
    ports,
  }) as unknown as EndpointSliceObject;

const services = [
  service('web', {
    clusterIP: '10.96.0.7',
    clusterIPs: ['10.96.0.7', 'fd00::7'],
    ports: [
      { name: 'http', protocol: 'TCP', port: 80 },
      { name: 'dns', protocol: 'UDP', port: 53 },
    ],
  }),
  service('db', { clusterIP: 'None', clusterIPs: ['None'], ports: [{ name: 'sql', port: 5432 }] }),
  service('idle', { clusterIP: 'None', clusterIPs: ['None'], ports: [{ port: 1 }] }),
  service('away', { type: 'ExternalName', externalName: 'example.org' }),
  service('alias', { type: 'ExternalName', externalName: 'web.shop.svc.cluster.local' }),
  service('circle', { type: 'ExternalName', externalName: 'circle.shop.svc.cluster.local' }),
  service('kube-dns', { clusterIP: '10.96.0.10', clusterIPs: ['10.96.0.10'], ports: [{ port: 53 }] }),
];
const slices = [
  slice(
    'db',
    [
      { addresses: ['10.244.0.2'], hostname: 'db-0', conditions: { ready: true } },
      { addresses: ['10.244.0.3'], conditions: {} },
      { addresses: ['10.244.0.4'], conditions: { ready: false } },
    ],
    [{ name: 'sql', protocol: 'TCP', port: 5432 }],
  ),
  slice(
    'db',
    [{ addresses: ['fd00::'], conditions: { ready: true } }],
    [{ name: 'sql', protocol: 'TCP', port: 5432 }],
  ),
  slice('kube-dns', [{ addresses: ['192.0.2.1'] }], [{ name: '', protocol: 'UDP', port: 53 }]),
];

const view: ClusterView = {
  hasNamespace: (name) => name === 'shop',
  service: (namespace, name) =>
    services.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
  slicesOf: (namespace, name) =>
    slices.filter(
      ({ metadata }) =>
        metadata.namespace === namespace && metadata.labels?.['kubernetes.io/service-name'] === name,
    ),
  serviceByAddress: (address) => services.find(({ spec }) => spec?.clusterIPs?.includes(address)),
  slicesByAddress: (address) =>
    slices.filter(({ endpoints }) => endpoints?.some(({ addresses }) => addresses?.includes(address))),
  serial: 4711,
};

const resolve = async ({ type }: Question): Promise<DnsResponse> => ({
  code: 0,
  authoritative: false,
  answers: type === 'A' ? [{ name: 'example.org', type, ttl: 60, data: '93.184.215.14' }] : [],
});

const zone: Zone = { domain: 'cluster.local', view, ownAddresses: ['192.0.2.1'], resolve };

/** `NXDOMAIN`, `elsewhere`, or the records as `name type data`. */
async function ask(name: string, type: string): Promise<string | readonly string[]> {
  const answer = await answerFromZone({ name, type }, zone);
  if (answer === undefined) return 'elsewhere';
  if (answer.answers.length === 0 && answer.code !== 5) expect(answer.authorities?.[0]?.type).toBe('SOA');
  if (answer.code !== 0) return { 3: 'NXDOMAIN', 5: 'REFUSED' }[answer.code] ?? String(answer.code);
  return answer.answers.map((record) => `${record.name} ${record.type} ${shown(record.data)}`);
}

function shown(data: unknown): string {
  if (typeof data !== 'object') return String(data);
  return Object.values(data as object).join(' ');
}

const web = 'web.shop.svc.cluster.local';
const db = 'db.shop.svc.cluster.local';

test.each([
  ['a service by its addresses', web, 'A', [`${web} A 10.96.0.7`]],
  ['of each family', web, 'AAAA', [`${web} AAAA fd00::7`]],
  [
    'in the case of the question',
    'Web.Shop.SVC.Cluster.Local',
    'A',
    ['Web.Shop.SVC.Cluster.Local A 10.96.0.7'],
  ],
  ['a port by where to find it', `_http._tcp.${web}`, 'SRV', [`_http._tcp.${web} SRV 0 50 80 ${web}`]],
  ['no port of another protocol', `_http._udp.${web}`, 'SRV', 'NXDOMAIN'],
  ['a headless service by what is ready', db, 'A', [`${db} A 10.244.0.2`, `${db} A 10.244.0.3`]],
  ['an endpoint by its host name', `db-0.${db}`, 'A', [`db-0.${db} A 10.244.0.2`]],
  ['or by its address', `10-244-0-3.${db}`, 'A', [`10-244-0-3.${db} A 10.244.0.3`]],
  ['that ends in zeros', `fd00--0.${db}`, 'AAAA', [`fd00--0.${db} AAAA fd00::`]],
  ['none that is not ready', `10-244-0-4.${db}`, 'A', 'NXDOMAIN'],
  ['a headless service without endpoints', 'idle.shop.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['nothing of another kind', web, 'TXT', []],
  [
    'a pod by its address',
    '10-244-0-2.shop.pod.cluster.local',
    'A',
    ['10-244-0-2.shop.pod.cluster.local A 10.244.0.2'],
  ],
  ['no pod by another name', 'web-1.shop.pod.cluster.local', 'A', 'NXDOMAIN'],
  ['a namespace holds no records', 'shop.svc.cluster.local', 'A', []],
  ['no unknown namespace', 'web.elsewhere.svc.cluster.local', 'A', 'NXDOMAIN'],
  ['no name of another form', 'shop.cluster.local', 'A', 'NXDOMAIN'],
  ['too many labels', `a.b.c.${web}`, 'A', 'NXDOMAIN'],
  ['the version of the schema', 'dns-version.cluster.local', 'TXT', ['dns-version.cluster.local TXT 1.1.0']],
  [
    'another name with what it stands for',
    'away.shop.svc.cluster.local',
    'A',
    ['away.shop.svc.cluster.local CNAME example.org', 'example.org A 93.184.215.14'],
  ],
  [
    'within the cluster',
    'alias.shop.svc.cluster.local',
    'A',
    [`alias.shop.svc.cluster.local CNAME ${web}`, `${web} A 10.96.0.7`],
  ],
  ['a circle is not followed', 'circle.shop.svc.cluster.local', 'A', []],
  ['the name servers', 'cluster.local', 'NS', ['cluster.local NS kube-dns.shop.svc.cluster.local']],
  ['their address', 'ns.dns.cluster.local', 'A', ['ns.dns.cluster.local A 10.96.0.10']],
  ['an address by its service', '7.0.96.10.in-addr.arpa', 'PTR', [`7.0.96.10.in-addr.arpa PTR ${web}`]],
  [
    'an address by its endpoint',
    '2.0.244.10.in-addr.arpa',
    'PTR',
    [`2.0.244.10.in-addr.arpa PTR db-0.${db}`],
  ],
  ['addresses of others', '1.1.1.1.in-addr.arpa', 'PTR', 'elsewhere'],
  ['names of others', 'example.org', 'A', 'elsewhere'],
  ['no transfer of the zone', 'cluster.local', 'AXFR', 'REFUSED'],
] as const)('answers: %s', async (_, name, type, expected) => {
  expect(await ask(name, type)).toEqual(expected);
});

test('an IPv6 address is found by its nibbles', async () => {
  const nibbles = `7${'.0'.repeat(27)}.0.0.d.f.ip6.arpa`;
  expect(await ask(nibbles, 'PTR')).toEqual([`${nibbles} PTR ${web}`]);
});

test('SRV records of a headless service bring the addresses of their targets', async () => {
  const answer = await answerFromZone({ name: `_sql._tcp.${db}`, type: 'SRV' }, zone);
  expect(answer?.answers.map(({ data }) => data)).toEqual(
    ['db-0', '10-244-0-3', 'fd00--0'].map((host) => ({
      priority: 0,
      weight: 33,
      port: 5432,
      target: `${host}.${db}`,
    })),
  );
  expect(answer?.additionals?.map(({ name, type, data }) => `${name} ${type} ${data}`)).toEqual([
    `db-0.${db} A 10.244.0.2`,
    `10-244-0-3.${db} A 10.244.0.3`,
    `fd00--0.${db} AAAA fd00::`,
  ]);
});
