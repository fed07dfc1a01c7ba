import { expect, test } from 'vitest';
import { emptyKubeconfigMessage, mergeKubeconfigs, resolveKubeconfig } from './kubeconfig.ts';
import type { Kubeconfig } from './kubeconfig.ts';

const config: Kubeconfig = {
  'current-context': 'dev',
  clusters: [{ name: 'c', cluster: { server: 'https://c' } }],
  users: [{ name: 'u', user: { token: 't', as: 'other' } }],
  contexts: [{ name: 'dev', context: { cluster: 'c', user: 'u', namespace: 'ns' } }],
};

test('of entries with one name the first file counts, and of current contexts the first that is set', () => {
  const merged = mergeKubeconfigs([
    { clusters: [{ name: 'c', cluster: { server: 'https://first' } }] },
    config,
    { 'current-context': 'other', users: [{ name: 'v' }] },
  ]);
  expect(merged['current-context']).toBe('dev');
  expect(merged.clusters).toEqual([{ name: 'c', cluster: { server: 'https://first' } }]);
  expect(merged.users?.map((user) => user.name)).toEqual(['u', 'v']);
});

test('a context leads to its cluster, user and namespace, and flags go before', () => {
  expect(resolveKubeconfig(config)).toMatchObject({
    namespace: 'ns',
    cluster: { server: 'https://c' },
    user: { token: 't' },
  });
  expect(resolveKubeconfig(config, { namespace: 'x', userInfo: { username: 'a' } })).toMatchObject({
    namespace: 'x',
    user: { username: 'a', as: 'other' },
  });
  expect(resolveKubeconfig(config, { userInfo: { username: 'a' } }).user.token).toBeUndefined();
});

test.each([
  [{}, {}, emptyKubeconfigMessage],
  [config, { context: 'nope' }, 'context "nope" does not exist'],
  [config, { cluster: 'nope' }, 'cluster "nope" does not exist'],
  [config, { user: 'nope' }, 'auth info "nope" does not exist'],
  [
    { ...config, 'current-context': 'gone' },
    {},
    'invalid configuration: context was not found for specified context: gone',
  ],
  [
    { ...config, clusters: [] },
    {},
    'invalid configuration: [cluster "c" was not found for context "dev", no server found for cluster "c"]',
  ],
])('what is missing is told', (broken: Kubeconfig, overrides, message) => {
  expect(() => resolveKubeconfig(broken, overrides)).toThrow(message);
});
