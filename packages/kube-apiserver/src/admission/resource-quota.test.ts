import { afterEach, expect, test } from 'vitest';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

let server: StartedServer;
afterEach(() => server.stop());

const quotas = '/api/v1/namespaces/default/resourcequotas';
const configMaps = '/api/v1/namespaces/default/configmaps';
const limit = 37;

/** A quota is enforced once its status has its usage, which no controller computes here. */
async function makeQuota(
  hard: Record<string, string>,
  used: Record<string, string>,
  { name = 'q', ...spec }: { name?: string; scopes?: string[]; scopeSelector?: object } = {},
): Promise<void> {
  await server.send('POST', quotas, { metadata: { name }, spec: { hard, ...spec } });
  const { status } = await server.send(
    'PATCH',
    `${quotas}/${name}/status`,
    { status: { hard, used } },
    mergePatch,
  );
  expect(status).toBe(200);
}

const mergePatch = 'application/merge-patch+json';

const usedOf = async (name = 'q') => (await server.send('GET', `${quotas}/${name}`)).body.status?.used;

test('a hundred creates at once get no more than the quota has', async () => {
  server = await startedServer();
  await makeQuota({ 'count/configmaps': String(limit) }, { 'count/configmaps': '0' });

  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => server.send('POST', configMaps, { metadata: { name: `c${i}` } })),
  );

  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 403);
  expect([made.length, refused.length]).toEqual([limit, 100 - limit]);
  expect((await server.send('GET', configMaps)).body.items).toHaveLength(limit);
  expect(await usedOf()).toEqual({ 'count/configmaps': String(limit) });
  expect(refused[0]!.body.message).toContain(
    `exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=${limit}, limited: count/configmaps=${limit}`,
  );
});

test('a dry run is checked and not counted', async () => {
  server = await startedServer();
  await makeQuota({ 'count/configmaps': '1' }, { 'count/configmaps': '0' });

  const tried = await server.send('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'a' } });
  const made = await server.send('POST', configMaps, { metadata: { name: 'a' } });
  const over = await server.send('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'b' } });

  expect([tried.status, made.status, over.status]).toEqual([201, 201, 403]);
  expect(await usedOf()).toEqual({ 'count/configmaps': '1' });
});

test('limited resources require a quota that covers them', async () => {
  const limitedResources = [{ resource: 'services', matchContains: ['services'] }];
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'ResourceQuotaConfiguration',
    limitedResources,
  };
  server = await startedServer({
    pluginConfigurations: new Map([['ResourceQuota', JSON.stringify(configuration)]]),
  });
  const service = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };
  const services = '/api/v1/namespaces/default/services';

  const uncovered = await server.send('POST', services, service);
  await makeQuota({ services: '1', 'count/services': '1' }, { services: '0', 'count/services': '0' });
  const covered = await server.send('POST', services, service);

  expect(uncovered.body.message).toContain('insufficient quota to consume: count/services,services');
  expect(covered.status).toBe(201);
});

test('an update that brings a pod into the scope of a quota is counted whole, and not given back elsewhere', async () => {
  server = await startedServer();
  const pods = '/api/v1/namespaces/default/pods';
  const requests = { cpu: '100m' };
  const spec = { containers: [{ name: 'c', image: 'i', resources: { requests } }] };
  const none = { pods: '0', 'requests.cpu': '0' };
  await makeQuota({ pods: '2', 'requests.cpu': '1' }, none, { name: 'bounded', scopes: ['Terminating'] });
  await makeQuota({ pods: '2', 'requests.cpu': '1' }, none, { name: 'endless', scopes: ['NotTerminating'] });
  await server.send('POST', pods, { metadata: { name: 'p' }, spec });
  const bound = { spec: { activeDeadlineSeconds: 60 } };

  const { status } = await server.send('PATCH', `${pods}/p`, bound, mergePatch);

  const counted = { pods: '1', 'requests.cpu': '100m' };
  expect([status, await usedOf('bounded'), await usedOf('endless')]).toEqual([200, counted, counted]);
});

test('freed usage stays counted, and the usage in a status counts even beyond the limit', async () => {
  server = await startedServer();
  const core = '/api/v1/namespaces/default';
  const hard = { 'services.nodeports': '1', 'requests.storage': '1Gi' };
  await makeQuota(hard, { 'services.nodeports': '0', 'requests.storage': '0' });
  const ports = [{ port: 80 }];
  await server.send('POST', `${core}/services`, {
    metadata: { name: 's' },
    spec: { type: 'NodePort', ports },
  });
  const plain = { spec: { type: 'ClusterIP', ports: [{ port: 80, nodePort: null }] } };
  const resources = { requests: { storage: '1Gi' } };
  await server.send('POST', `${core}/persistentvolumeclaims`, {
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], resources },
  });
  const grown = { status: { allocatedResources: { storage: '3Gi' } } };

  const freed = await server.send('PATCH', `${core}/services/s`, plain, mergePatch);
  const reported = await server.send('PATCH', `${core}/persistentvolumeclaims/c/status`, grown, mergePatch);

  expect([freed.status, reported.status]).toEqual([200, 200]);
  expect(await usedOf()).toEqual({ 'services.nodeports': '1', 'requests.storage': '3Gi' });
});
