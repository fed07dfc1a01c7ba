import { expect, test } from 'vitest';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import { versionInfo } from '../version.ts';
import { installVersion } from './index-routes.ts';

test.each(['PUT', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
  'the version cannot be asked for with %s',
  async (method) => {
    const api = inMemoryApi({ resources: [] });
    installVersion(api.server.plain, versionInfo);
    expect((await api.request(method, '/version')).status).toBe(405);
    expect((await api.request('GET', '/version/')).status).toBe(200);
  },
);
