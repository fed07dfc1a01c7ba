/** Bodies with very many elements must not take quadratic time: none of these tests would end otherwise. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

let server: StartedServer;
beforeAll(async () => {
  server = await startedServer();
});
afterAll(() => server.stop());

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'a' };
const configMap = (metadata: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
});
const configMaps = '/api/v1/namespaces/default/configmaps';

test.each([
  ['the same finalizer 80,000 times', { finalizers: many(80_000, () => 'f') }],
  ['80,000 different finalizers without a domain', { finalizers: many(80_000, (index) => `f${index}`) }],
])('%s are refused one by one', async (_, metadata) => {
  const { status, body } = await server.send('POST', configMaps, configMap(metadata));
  expect(status).toBe(422);
  expect(body.details?.causes).toHaveLength(80_000);
});

test('30,000 owners with one uid are compared once each', async () => {
  const ownerReferences = many(30_000, (index) => ({ ...owner, name: `a-${index}` }));
  const { status } = await server.send('POST', `${configMaps}?dryRun=All`, configMap({ ownerReferences }));
  expect(status).toBe(201);
});

test('errors that each quote a whole list are reported as far as they fit into a response', async () => {
  const ownerReferences = many(10_000, (index) => ({ ...owner, uid: `${index}`, controller: true }));
  const { status, body } = await server.send('POST', configMaps, configMap({ ownerReferences }));
  expect(status).toBe(422);
  const { length } = body.details?.causes ?? [];
  expect(length).toBeGreaterThan(1);
  expect(length).toBeLessThan(1_000);
});
