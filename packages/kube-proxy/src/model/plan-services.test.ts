import { expect, test } from 'vitest';
import { planServices } from './plan-services.ts';
import { endpoint, service, slice } from '../../test/objects.ts';

const node = { name: 'node-a', zone: 'z1' };

test('a service reaches its ready endpoints, sorted and each once', () => {
  const { services } = planServices(
    [service('web')],
    [slice('web', [endpoint('10.244.0.9'), endpoint('10.244.0.2')]), slice('web', [endpoint('10.244.0.9')])],
    node,
  );

  expect(services).toHaveLength(1);
  expect(services[0]).toMatchObject({
    name: 'default/web:http',
    protocol: 'TCP',
    clusterIp: '10.0.0.10',
    port: 80,
  });
  expect(services[0]?.internal.endpoints.map(({ ip, port }) => `${ip}:${port}`)).toEqual([
    '10.244.0.2:8080',
    '10.244.0.9:8080',
  ]);
});

test.each([
  ['a headless service', { clusterIP: 'None' }, {}],
  ['an external name', { type: 'ExternalName', clusterIP: '' }, {}],
  ['a service of another proxy', {}, { 'service.kubernetes.io/service-proxy-name': 'mesh' }],
])('%s has no rules', (_what, spec, labels) => {
  expect(planServices([service('web', spec, labels)], [], node).services).toEqual([]);
});

test('unready endpoints are left out; those that leave serve when no other does', () => {
  const leaving = endpoint('10.244.0.3', { conditions: { ready: false, serving: true, terminating: true } });
  const unready = endpoint('10.244.0.4', { conditions: { ready: false } });
  const endpointsOf = (...list: ReturnType<typeof endpoint>[]) =>
    planServices([service('web')], [slice('web', list)], node).services[0]?.internal.endpoints.map(
      ({ ip }) => ip,
    );

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
  const here = planServices([local], [slice('web', both)], node).services[0]!;
  const elsewhere = planServices([local], [slice('web', both.slice(1))], node).services[0]!;

  expect(here.external.endpoints.map(({ ip }) => ip)).toEqual(['10.244.0.2']);
  expect(here.internal.endpoints).toHaveLength(2);
  expect(elsewhere.external).toMatchObject({ endpoints: [], whenNone: 'drop', keepsClientIp: true });
});

test('hints keep traffic in the zone, unless an endpoint has none', () => {
  const inZone = (ip: string, zone: string) => endpoint(ip, { hints: { forZones: [{ name: zone }] } });
  const near = planServices(
    [service('web')],
    [slice('web', [inZone('10.244.0.2', 'z1'), inZone('10.244.0.3', 'z2')])],
    node,
  );
  const mixed = planServices(
    [service('web')],
    [slice('web', [inZone('10.244.0.2', 'z1'), endpoint('10.244.0.3')])],
    node,
  );

  expect(near.services[0]?.internal.endpoints.map(({ ip }) => ip)).toEqual(['10.244.0.2']);
  expect(mixed.services[0]?.internal.endpoints).toHaveLength(2);
});

test('a health check port counts the ready endpoints of this node', () => {
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 31000 };
  const { healthChecks } = planServices(
    [service('web', spec)],
    [slice('web', [endpoint('10.244.0.2', { nodeName: 'node-a' })])],
    node,
  );

  expect(healthChecks).toEqual([{ service: 'default/web', port: 31000, localEndpoints: 1 }]);
});

test('each family has its own rules, with its own endpoints', () => {
  const dual = service('web', { clusterIPs: ['10.0.0.10', 'fd00::10'] });
  const six = { ...slice('web', [endpoint('fd00:1::2')]), addressType: 'IPv6' as const };
  const { services } = planServices([dual], [slice('web', [endpoint('10.244.0.2')]), six], node);

  expect(services.map(({ family, internal }) => `${family} ${internal.endpoints[0]?.ip}`)).toEqual([
    'IPv4 10.244.0.2',
    'IPv6 fd00:1::2',
  ]);
});
