import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { expect, test } from 'vitest';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import { ping } from '@coxswain/component-base/health-check.ts';
import { installHealth } from './health-routes.ts';

function served(problem?: string) {
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }] });
  const etcd = { name: 'etcd', check: () => problem };
  installHealth(
    api.server.plain,
    '/readyz',
    () => [ping, etcd],
    () => undefined,
  );
  return api;
}

function checked(problem?: string) {
  const api = served(problem);
  return (path: string) => api.request('GET', path);
}

test('the index lists the path of each check', () => {
  expect(served().server.listedPaths()).toEqual(
    expect.arrayContaining(['/readyz', '/readyz/etcd', '/readyz/ping']),
  );
});

test('a healthy server says ok, and more with verbose', async () => {
  const get = checked();

  expect((await get('/readyz')).body).toBe('ok');
  expect((await get('/readyz?verbose')).body).toBe('[+]ping ok\n[+]etcd ok\nreadyz check passed\n');
  expect((await get('/readyz/etcd')).body).toBe('ok');
  expect((await get('/readyz/nothing')).status).toBe(404);
});

test('a failing check fails the whole without a reason, unless it is excluded', async () => {
  const get = checked('disk full');

  const failed = await get('/readyz');
  expect([failed.status, failed.body]).toEqual([
    500,
    '[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n',
  ]);
  expect((await get('/readyz?exclude=etcd')).status).toBe(200);
});
