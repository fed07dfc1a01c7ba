import { expect, test } from 'vitest';
import { ownVersion, versionAnswer } from '@coxswain/component-base/effective-version.ts';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import { installVersion } from './index-routes.ts';

/** The bound of a request's head leaves room for this much. With work that grows quadratically, these take minutes. */
const bytes = 1_000_000;
const of = (part: string): string => part.repeat(bytes / part.length);

test.each([
  ['slashes', of('/')],
  ['slashes that do not end the path', `${of('/')}a`],
  ['slashes that do not end the path, before another one', `${of('/')}a/`],
  ['short segments', of('/a')],
  ['short segments and a slash', `${of('/a')}/`],
  ['encoded dots', of('/%2e')],
  ['encoded slashes', `/${of('%2f')}`],
  ['bytes that are no UTF-8', `/${of('%ff')}`],
  ['segments below a path', `/version${of('/a')}/`],
  ['segments below a group', `/apis/nowhere.io/v1${of('/a')}/`],
  ['segments below no group', `/apis/${of('/a')}/`],
  ['segments below an object', `/api/v1/namespaces/a/pods/b/proxy${of('/..')}`],
])('a path of a million bytes costs no more than its length: %s', async (_what, path) => {
  const api = inMemoryApi({ resources: [] });
  installVersion(api.server.plain, versionAnswer(ownVersion));

  expect((await api.request('GET', path)).status).toBe(404);
});
