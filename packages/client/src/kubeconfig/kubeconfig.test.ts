import { expect, test } from 'vitest';
import { mergeKubeconfigs, type Kubeconfig } from './kubeconfig.ts';
import { resolveKubeconfig } from './resolve.ts';

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
  expect(resolveKubeconfig(config, { namespace: 'x', userInfo: { token: 'a' } })).toMatchObject({
    namespace: 'x',
    user: { token: 'a', as: 'other' },
  });
});

const empty =
  'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

test.each([
  [{}, {}, empty],
  [config, { context: 'nope' }, 'context "nope" does not exist'],
  [config, { cluster: 'nope' }, 'cluster "nope" does not exist'],
  [config, { user: 'nope' }, 'auth info "nope" does not exist'],
  [
    { ...config, 'current-context': 'gone' },
    {},
    'invalid configuration: [context was not found for specified context: gone, cluster has no server defined]',
  ],
  [{ ...config, clusters: [] }, {}, empty],
  [
    config,
    { userInfo: { username: 'a' } },
    'invalid configuration: more than one authentication method found for u; found [token basicAuth], only one is allowed',
  ],
])('what is missing or contradicts itself is told', (broken: Kubeconfig, overrides, message) => {
  expect(() => resolveKubeconfig(broken, overrides)).toThrow(message);
});

test('unspecified settings come from the defaults', () => {
  const clusterDefaults = { server: 'http://localhost:8080' };
  expect(resolveKubeconfig({}, { clusterDefaults }).cluster.server).toBe('http://localhost:8080');
});

test('options for verifying the server replace those of the file', () => {
  const trusting: Kubeconfig = {
    ...config,
    clusters: [{ name: 'c', cluster: { server: 'https://c', 'certificate-authority-data': 'YQ==' } }],
  };
  const { cluster } = resolveKubeconfig(trusting, { clusterInfo: { 'insecure-skip-tls-verify': true } });
  expect(cluster).toMatchObject({ 'insecure-skip-tls-verify': true, 'certificate-authority-data': '' });
});
