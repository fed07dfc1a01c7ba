import { expect, test } from 'vitest';
import { planService } from './plan-services.ts';
import { ServiceIndex } from './service-index.ts';
import { endpoint, service, slice } from '../../test/objects.ts';

const node = { name: 'node-a', zone: 'z1' };

const rulesOf = (of: Parameters<typeof planService>[0], slices: Parameters<typeof planService>[1]) =>
  planService(of, slices, node)?.rules ?? [];

test('a service reaches its ready endpoints, sorted and each once', () => {
  const rules = rulesOf(service('web'), [
    slice('web', [endpoint('10.244.0.9'), endpoint('10.244.0.2')]),
    slice('web', [endpoint('10.244.0.9')]),
  ]);

  expect(rules).toHaveLength(1);
  expect(rules[0]).toMatchObject({
    name: 'default/web:http',
    protocol: 'TCP',
    clusterIp: '10.0.0.10',
    port: 80,
  });
  expect(rules[0]?.clusterEndpoints.map(({ ip, port }) => `${ip}:${port}`)).toEqual([
    '10.244.0.2:8080',
    '10.244.0.9:8080',
  ]);
});

test.each([
  ['a headless service', { clusterIP: 'None' }, {}],
  ['an external name', { type: 'ExternalName', clusterIP: '' }, {}],
  ['a service of another proxy', {}, { 'service.kubernetes.io/service-proxy-name': 'mesh' }],
])('%s has no rules', (_what, spec, labels) => {
  expect(planService(service('web', spec, labels), [], node)).toBeUndefined();
});

test('unready endpoints are left out; those that leave serve when no other does', () => {
  const leaving = endpoint('10.244.0.3', { conditions: { ready: false, serving: true, terminating: true } });
  const unready = endpoint('10.244.0.4', { conditions: { ready: false } });
  const endpointsOf = (...list: ReturnType<typeof endpoint>[]) =>
    rulesOf(service('web'), [slice('web', list)])[0]?.clusterEndpoints.map(({ ip }) => ip);

  expect(endpointsOf(endpoint('10.244.0.2'), leaving, unready)).toEqual(['10.244.0.2']);
  expect(endpointsOf(leaving, unready)).toEqual(['10.244.0.3']);
  expect(endpointsOf(unready)).toEqual([]);
});

test('with the policy Local, outside clients reach only this node, and are dropped where it has no endpoint', () => {
  const local = service('web', {
    type: 'NodePort',
    externalTrafficPolicy: 'Local',
    ports: [{ name: 'http', port: 80, nodePort: 30080 }],
  });
  const both = [
    endpoint('10.244.0.2', { nodeName: 'node-a' }),
    endpoint('10.244.1.2', { nodeName: 'node-b' }),
  ];
  const here = rulesOf(local, [slice('web', both)])[0]!;
  const elsewhere = rulesOf(local, [slice('web', both.slice(1))])[0]!;

  expect(here.localEndpoints.map(({ ip }) => ip)).toEqual(['10.244.0.2']);
  expect(here.clusterEndpoints).toHaveLength(2);
  expect(elsewhere).toMatchObject({ localEndpoints: [], hasEndpoints: true, externalIsLocal: true });
});

test('hints keep traffic in the zone, unless an endpoint has none', () => {
  const inZone = (ip: string, zone: string) => endpoint(ip, { hints: { forZones: [{ name: zone }] } });
  const ipsOf = (...list: object[]) =>
    rulesOf(service('web'), [slice('web', list)])[0]?.clusterEndpoints.map(({ ip }) => ip);

  expect(ipsOf(inZone('10.244.0.2', 'z1'), inZone('10.244.0.3', 'z2'))).toEqual(['10.244.0.2']);
  expect(ipsOf(inZone('10.244.0.2', 'z1'), endpoint('10.244.0.3'))).toHaveLength(2);
});

test('hints for this node come before those for its zone', () => {
  const hinted = (ip: string, name: string) =>
    endpoint(ip, { hints: { forNodes: [{ name }], forZones: [{ name: 'z1' }] } });
  const ipsOf = (...list: object[]) =>
    rulesOf(service('web'), [slice('web', list)])[0]?.clusterEndpoints.map(({ ip }) => ip);

  expect(ipsOf(hinted('10.244.0.2', 'node-a'), hinted('10.244.1.2', 'node-b'))).toEqual(['10.244.0.2']);
  expect(ipsOf(hinted('10.244.1.2', 'node-b'), hinted('10.244.2.2', 'node-c'))).toHaveLength(2);
});

test('an address that a new pod has got counts for the new pod', () => {
  const leaving = endpoint('10.244.0.2', {
    conditions: { ready: false, serving: false, terminating: true },
  });
  const rules = rulesOf(service('web'), [slice('web', [endpoint('10.244.0.2'), leaving])]);

  expect(rules[0]?.clusterEndpoints).toHaveLength(1);
});

test('a source range of everything is no restriction; spaces around one are forgiven', () => {
  const ranges = (...loadBalancerSourceRanges: string[]) =>
    rulesOf(service('web', { type: 'LoadBalancer', loadBalancerSourceRanges }), [])[0]?.sourceRanges;

  expect(ranges('192.0.2.0/24', '0.0.0.0/0')).toEqual([]);
  expect(ranges(' 192.0.2.7/24')).toEqual(['192.0.2.0/24']);
});

test('only what changed is planned again', () => {
  const index = new ServiceIndex();
  index.setService(service('web'));
  index.setService(service('db'));
  index.setSlice(slice('web', [endpoint('10.244.0.2')]));
  expect([...index.takeChanges(node).keys()]).toEqual(['default/web', 'default/db']);

  index.setSlice(slice('db', [endpoint('10.244.0.3')]));
  const changes = index.takeChanges(node);
  expect([...changes.keys()]).toEqual(['default/db']);
  expect(changes.get('default/db')?.rules[0]?.clusterEndpoints).toHaveLength(1);

  index.removeService(service('db'));
  expect([...index.takeChanges(node)]).toEqual([['default/db', undefined]]);
});

test('a health check port counts the ready endpoints of this node', () => {
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 31000 };
  const plan = planService(
    service('web', spec),
    [slice('web', [endpoint('10.244.0.2', { nodeName: 'node-a' })])],
    node,
  );

  expect(plan?.healthCheck).toEqual({ service: 'default/web', port: 31000, localEndpoints: 1 });
});

test('each family has its own rules, with its own endpoints', () => {
  const dual = service('web', { clusterIPs: ['10.0.0.10', 'fd00::10'] });
  const six = { ...slice('web', [endpoint('fd00:1::2')]), addressType: 'IPv6' as const };
  const rules = rulesOf(dual, [slice('web', [endpoint('10.244.0.2')]), six]);

  expect(rules.map(({ family, clusterEndpoints }) => `${family} ${clusterEndpoints[0]?.ip}`)).toEqual([
    'IPv4 10.244.0.2',
    'IPv6 fd00:1::2',
  ]);
});
