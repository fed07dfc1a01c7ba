import { expect, test } from 'vitest';
import { startedServer } from '../testing/started-server.ts';

/** In upstream's order. */
const ready = [
  'ping',
  'log',
  'etcd',
  'etcd-readiness',
  'informer-sync',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-object-count-tracker-hook',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/peer-endpoint-reconciler-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  'poststarthook/storage-readiness',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
  'shutdown',
];

const onlyReady = new Set(['etcd-readiness', 'informer-sync', 'shutdown']);

/** Liveness and health have checks that readiness lacks, and vice versa. */
const alive = ready
  .filter((name) => !onlyReady.has(name))
  .flatMap((name) => (name === 'log' ? [name, 'loopback-serving-certificate'] : [name]));

const report = (path: string, names: readonly string[]) =>
  `${names.map((name) => `[+]${name} ok\n`).join('')}${path} check passed\n`;

test("health lists all of upstream's checks, by name and in order", async () => {
  const server = await startedServer();
  const reported = async (path: string) => (await server.send('GET', `/${path}?verbose`)).text;

  expect(await reported('readyz')).toBe(report('readyz', ready));
  expect(await reported('livez')).toBe(report('livez', alive));
  expect(await reported('healthz')).toBe(report('healthz', alive));
  expect((await server.send('GET', '/readyz/poststarthook/rbac/bootstrap-roles')).text).toBe('ok');
  await server.stop();
});

test('without priority and fairness a different filter is listed', async () => {
  const server = await startedServer({ enablePriorityAndFairness: false });
  const { text } = await server.send('GET', '/readyz?verbose');

  expect(text).toContain('[+]poststarthook/max-in-flight-filter ok');
  expect(text).not.toContain('priority-and-fairness-filter');
  await server.stop();
});
