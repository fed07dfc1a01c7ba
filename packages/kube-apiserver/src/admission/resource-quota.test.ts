import { afterEach, expect, test } from 'vitest';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

let server: StartedServer;
afterEach(() => server.stop());

const quotas = '/api/v1/namespaces/default/resourcequotas';
const configMaps = '/api/v1/namespaces/default/configmaps';
const limit = 37;

/** A quota counts once its status says what is used; nobody else does that here. */
async function makeQuota(hard: Record<string, string>, used: Record<string, string>): Promise<void> {
  await server.send('POST', quotas, { metadata: { name: 'q' }, spec: { hard } });
  const status = { status: { hard, used } };
  const { status: code } = await server.send(
    'PATCH',
    `${quotas}/q/status`,
    status,
    'application/merge-patch+json',
  );
  expect(code).toBe(200);
}

const usedOf = async () => (await server.send('GET', `${quotas}/q`)).body.status?.used;

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

test('what the configuration limits needs a quota that covers it', async () => {
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
