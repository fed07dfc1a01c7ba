import { systemClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { expect, test } from 'vitest';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import { ownVersion, versionAnswer } from '@coxswain/component-base/effective-version.ts';
import { installMetrics, installVersion } from './index-routes.ts';

test('a body of an unsupported type is refused even if no handler reads it', async () => {
  const api = inMemoryApi({ resources: [] });
  installVersion(api.server.plain, versionAnswer(ownVersion));
  const withType = (path: string, type: string) =>
    api.request('GET', path, undefined, { 'content-type': type });

  for (const path of ['/version', '/api']) {
    expect((await withType(path, 'text/plain')).json).toMatchObject({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: '415: Unsupported Media Type',
    });
    expect((await withType(path, 'text/plain, application/json;charset=utf-8')).status).toBe(200);
  }
  expect((await withType('/version', 'application/yaml')).status).toBe(415);
  expect((await withType('/api', 'application/yaml')).status).toBe(200);
});

test.each(['PUT', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
  'the version cannot be asked for with %s',
  async (method) => {
    const api = inMemoryApi({ resources: [] });
    installVersion(api.server.plain, versionAnswer(ownVersion));
    expect((await api.request(method, '/version')).status).toBe(405);
    expect((await api.request('GET', '/version/')).status).toBe(200);
  },
);

test.each([
  [true, 'metrics reset\n', 'a_total 0'],
  [false, expect.stringContaining('a_total 2'), 'a_total 2'],
])('who may reset metrics (%j) does it with DELETE', async (mayReset, answer, reported) => {
  const api = inMemoryApi({ resources: [] });
  const metrics = new Metrics();
  installMetrics(api.server.plain, '/numbers', metrics, systemClock, mayReset);
  metrics.counter('a_total', '').add(2);
  expect((await api.request('DELETE', '/numbers')).body).toEqual(answer);
  expect((await api.request('GET', '/numbers')).body).toContain(reported);
});
