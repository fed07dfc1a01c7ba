import { expect, test } from 'vitest';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import { installProfiles } from './profiles.ts';

const noProfiler = { cpu: () => Promise.reject(new Error()), heap: () => Promise.reject(new Error()) };

test('the index of profiles is at the path with a slash, to which the other redirects', async () => {
  const api = inMemoryApi({ resources: [] });
  installProfiles(api.server.plain, noProfiler as never);

  const without = await api.request('GET', '/debug/pprof');
  expect([without.status, without.headers['location']]).toEqual([302, '/debug/pprof/']);
  const index = await api.request('GET', '/debug/pprof/');
  expect(index.status).toBe(200);
  expect(index.body).toContain('<title>/debug/pprof/</title>');
});
