import { afterEach, expect, test } from 'vitest';
import { gadgetDefinition } from '../testing/gadgets.ts';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

let server: StartedServer;
afterEach(() => server.stop());

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const gadgets = '/apis/example.com/v1/namespaces/default/gadgets';
const gadget = (name: string, finalizers: string[] = []) => ({
  apiVersion: 'example.com/v1',
  kind: 'Gadget',
  metadata: { name, finalizers },
});

test('a watch sees the objects deleted with their definition', async () => {
  server = await startedServer();
  await server.send('POST', definitions, gadgetDefinition);
  await server.send('POST', gadgets, gadget('a', ['example.com/hold']));
  const watched = server.send('GET', `${gadgets}?watch=1`);

  await server.send('DELETE', `${definitions}/gadgets.example.com`);
  const late = await server.send('POST', gadgets, gadget('b'));
  const { text: discovery } = await server.send('GET', '/apis/example.com/v1');
  const isGoing = async () => (await server.send('GET', `${gadgets}/a`)).text.includes('deletionTimestamp');
  await expect.poll(isGoing).toBe(true);
  const free = { metadata: { finalizers: null } };
  await server.send('PATCH', `${gadgets}/a`, free, 'application/merge-patch+json');

  expect(late.body.message).toContain('create not allowed while custom resource definition is terminating');
  expect(discovery).not.toContain('"create"');
  const lines = (await watched).text.trim().split('\n');
  const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
});
