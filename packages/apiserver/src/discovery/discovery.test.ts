import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { expect, test } from 'vitest';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import { describeRoute } from '../routes.ts';

const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
const api = () => inMemoryApi({ resources: [{ kind: ConfigMap }] });

test('the capabilities of a store are its verbs in discovery', async () => {
  const list = (await api().request('GET', '/api/v1')).json;

  expect(list.resources[0]).toMatchObject({
    name: 'configmaps',
    singularName: 'configmap',
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  });
});

test('aggregated discovery is a 304 for a client that has it', async () => {
  const { request } = api();
  const first = await request('GET', '/api', undefined, aggregated);

  const again = await request('GET', '/api', undefined, {
    ...aggregated,
    'if-none-match': String(first.headers['etag']),
  });

  expect([first.status, again.status, again.body]).toEqual([200, 304, '']);
});

test('a group version that is installed twice is refused', () => {
  const { server } = api();

  expect(() => server.install(server.groups[0]!)).toThrow('registered twice');
});

test('routes describe the route of a path without a request', () => {
  const described = describeRoute(api().server, 'GET', '/api/v1/namespaces/x/configmaps/a');

  expect(described).toMatchObject({
    server: 'test',
    answer: {
      kind: 'resource',
      route: { action: 'GET', store: 'GenericStore' },
      storageKey: '/registry/configmaps/x/a',
    },
  });
});
