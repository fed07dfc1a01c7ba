import type { KubeObject } from '@coxswain/apimachinery';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../cluster/cluster.ts';
import { boats } from './boats.fixture.ts';
import { nodePlaces } from './node-places.ts';
import { allRoutes, routeFacts } from './route-facts.ts';

type ApiService = KubeObject & { readonly spec: object };

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({
    nodes: 0,
    controllers: [],
    scheduler: false,
    servesMetrics: true,
    runtimeConfig: 'api/legacy=true',
  });
});
afterAll(() => cluster.stop());

const places = nodePlaces();
const facts = (method: string, target: string) => routeFacts(cluster.apiServer, places, method, target);

const web = '/apis/apps/v1/namespaces/default/deployments/web';

test.each([
  ['GET', web, 'get', '/registry/deployments/default/web'],
  ['PUT', `${web}/status`, 'update', '/registry/deployments/default/web'],
  ['PATCH', `${web}/scale`, 'patch', '/registry/deployments/default/web'],
  ['GET', '/api/v1/pods?watch=true', 'serveWatch', '/registry/pods/'],
  ['POST', '/api/v1/namespaces/default/pods/a/binding', 'create', '/registry/pods/default/a'],
  ['GET', '/api/v1/namespaces/default/pods/a/exec', 'connect', '/registry/pods/default/a'],
  ['GET', '/apis/extensions/v1beta1/namespaces/default/ingresses/a', 'get', '/registry/ingress/default/a'],
  ['GET', '/apis/metrics.k8s.io/v1beta1/nodes', 'list', undefined],
])('%s %s is answered by %s', async (method, target, handler, storageKey) => {
  const found = await facts(method, target);
  expect(found.parts[0]).toMatchObject({ part: 'handler', function: handler });
  expect(found.storageKey).toBe(storageKey);
});

test('a write passes everything from defaulting to the codec', async () => {
  const { parts, filters } = await facts('POST', '/api/v1/namespaces/default/pods?dryRun=All');
  expect(new Set(parts.map(({ part }) => part))).toEqual(
    new Set([
      'handler',
      'defaulting',
      'admission, mutate',
      'store',
      'strategy',
      'validation',
      'admission, validate',
      'codec',
    ]),
  );
  expect(parts.map(({ function: name }) => name)).toContain('validatePod');
  expect(filters.map(({ does }) => does)).toEqual(expect.arrayContaining(['authenticate', 'authorize']));
});

test('what is not stored has no codec, and a subresource that of its object', async () => {
  const reported = async (method: string, path: string): Promise<readonly string[]> =>
    (await facts(method, path)).parts.flatMap(({ part, does }) =>
      part === 'store' || part === 'codec' ? [does.split(',')[0]!] : [],
    );
  const pod = '/api/v1/namespaces/default/pods/web';
  expect(await reported('GET', `${pod}/log`)).toEqual(['own store.stream']);
  expect(await reported('POST', `${pod}/eviction`)).toEqual(['own store.create']);
  expect(await reported('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews')).toEqual([
    'own store.create',
  ]);
  expect(await reported('PUT', '/apis/apps/v1/namespaces/default/deployments/web/scale')).toEqual([
    'own store.update',
    'stored as apps/v1',
  ]);
});

test('an old version tells how it is converted', async () => {
  const { parts } = await facts('GET', '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/a');
  expect(parts.filter(({ part }) => part === 'conversion').map(({ does }) => does)).toEqual([
    'autoscaling/v2 → autoscaling/v1',
  ]);
});

test('paths without resources, refusals and missing paths', async () => {
  expect((await facts('GET', '/healthz')).parts[0]?.place).toMatch(/^packages\/.*:\d+$/);
  expect((await facts('POST', web)).refusal).toMatch(/^405 /);
  expect((await facts('GET', '/nope')).refusal).toBe('404 page not found');
});

test('custom resources, with their subresources', async () => {
  const client = cluster.client();
  const definitions = client.resource('apiextensions.k8s.io/v1', 'customresourcedefinitions');
  await definitions.create(boats);
  const prefix = '/apis/example.com/v1/namespaces/default/boats';
  await expect.poll(async () => (await facts('GET', prefix)).refusal).toBeUndefined();

  const [created, status] = [await facts('POST', prefix), await facts('PUT', `${prefix}/a/status`)];

  expect(created.servers.join()).toContain('apiextensions');
  expect(created.storageKey).toBe('/registry/example.com/boats/default/');
  expect(status.storageKey).toBe('/registry/example.com/boats/default/a');
  for (const { parts } of [created, status])
    for (const part of ['strategy', 'validation'])
      expect(parts.find((one) => one.part === part)?.place).toMatch(/custom-strategy\.ts:\d+$/);
});

test('resources of extension servers', async () => {
  const client = cluster.client();
  await client.resource<ApiService>('apiregistration.k8s.io/v1', 'apiservices').create({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.flunders.example.com' },
    spec: {
      group: 'flunders.example.com',
      version: 'v1',
      service: { namespace: 'shop', name: 'flunders' },
      groupPriorityMinimum: 1000,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
    },
  });
  const { servers, refusal } = await facts('GET', '/apis/flunders.example.com/v1/flunders');
  expect([servers, refusal]).toEqual([
    ['aggregator, which passes it on to Service shop/flunders'],
    undefined,
  ]);
  expect(await allRoutes(cluster.apiServer)).toContainEqual(
    expect.objectContaining({
      path: '/apis/flunders.example.com/v1',
      action: 'FORWARD',
      kind: 'Service shop/flunders',
    }),
  );
});
