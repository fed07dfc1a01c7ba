import { systemClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assembleKubeApiServer } from '../assemble.ts';
import type { AssembledApiServer } from '../assemble.ts';

let server: AssembledApiServer;

beforeAll(async () => {
  server = await assembleKubeApiServer({ storage: new MemoryStorage(), clock: systemClock });
  await server.start();
});
afterAll(() => server.stop());

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const gadgets = '/apis/example.com/v1/namespaces/default/gadgets';

async function send(method: string, path: string, body?: object) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const transport = server.inProcess({ name: 'admin', groups: ['system:masters'] }, { structured: false });
  return transport.send({
    method,
    path,
    headers: { 'content-type': type, 'user-agent': 'test' },
    ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }),
  });
}
const sent = async (method: string, path: string, body?: object) =>
  JSON.parse(new TextDecoder().decode(await (await send(method, path, body)).bytes()));

test('who watches the objects of a definition sees them go with it', async () => {
  await sent('POST', definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  });
  const gadget = (name: string, finalizers: string[] = []) => ({
    apiVersion: 'example.com/v1',
    kind: 'Gadget',
    metadata: { name, finalizers },
  });
  const { metadata } = await sent('POST', gadgets, gadget('a', ['example.com/hold']));
  const watch = await send('GET', `${gadgets}?watch=1&resourceVersion=${metadata.resourceVersion}`);

  await sent('DELETE', `${definitions}/gadgets.example.com`);
  expect((await sent('POST', gadgets, gadget('b'))).message).toContain('is terminating');
  const { resources } = await sent('GET', '/apis/example.com/v1');
  expect(resources[0].verbs).not.toContain('create');
  while ((await sent('GET', `${gadgets}/a`)).metadata.deletionTimestamp === undefined);
  await sent('PATCH', `${gadgets}/a`, { metadata: { finalizers: null } });

  const seen = new TextDecoder().decode(await watch.bytes());
  expect(
    seen
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type),
  ).toEqual(['MODIFIED', 'DELETED']);
});
