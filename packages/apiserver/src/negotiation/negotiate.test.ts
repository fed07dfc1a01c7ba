import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { expect, test } from 'vitest';
import { configMap, configMaps } from '../testing/config-map.ts';
import { inMemoryApi } from '../testing/in-memory-api.ts';

async function oneConfigMap() {
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }] });
  await api.request('POST', configMaps, configMap('a', { k: 'v' }));
  return (accept: string, query = '') => api.request('GET', `${configMaps}/a${query}`, undefined, { accept });
}

test.each([
  ['application/json', 200, 'application/json'],
  ['application/yaml', 200, 'application/yaml'],
  ['application/vnd.kubernetes.protobuf', 200, 'application/vnd.kubernetes.protobuf'],
  ['*/*', 200, 'application/json'],
  ['application/yaml;q=0.2,application/json;q=0.9', 200, 'application/json'],
  ['application/xml,application/json', 200, 'application/json'],
  ['application/json;q=0', 200, 'application/json'],
  ['text/yaml', 406, 'application/json'],
  ['application/*', 406, 'application/json'],
])('Accept: %s is answered with %i %s', async (accept, status, contentType) => {
  const answer = await (await oneConfigMap())(accept);

  expect([answer.status, answer.headers['content-type']]).toEqual([status, contentType]);
});

test('pretty JSON differs only in whitespace', async () => {
  const get = await oneConfigMap();

  const pretty = await get('application/json', '?pretty=true');

  expect(pretty.body).toContain('\n  "kind": "ConfigMap",');
  expect(pretty.json).toEqual((await get('application/json')).json);
});

test('a body in YAML or protobuf is the same object as in JSON', async () => {
  const { request } = inMemoryApi({ resources: [{ kind: ConfigMap }] });
  const yaml = 'metadata:\n  name: b\ndata:\n  k: v\n';

  const created = await request('POST', configMaps, yaml, { 'content-type': 'application/yaml' });

  expect([created.status, created.json.data]).toEqual([201, { k: 'v' }]);
  expect((await request('POST', configMaps, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
});
