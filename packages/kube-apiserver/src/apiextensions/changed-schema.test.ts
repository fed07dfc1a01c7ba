import { afterEach, beforeEach, expect, test } from 'vitest';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

let server: StartedServer;
beforeEach(async () => {
  server = await startedServer({});
});
afterEach(() => server.stop());

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/change.test/v1/namespaces/default/widgets';
const merge = 'application/merge-patch+json';

const text = { type: 'string' };
const version = (name: string, properties: object, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties } },
});

async function define(...versions: object[]): Promise<void> {
  const { status } = await server.send('POST', definitions, {
    metadata: { name: 'widgets.change.test' },
    spec: {
      group: 'change.test',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions,
    },
  });
  expect(status).toBe(201);
  await expect.poll(() => server.send('GET', widgets).then(({ status: code }) => code)).toBe(200);
}

const redefine = (...versions: object[]) =>
  server.send('PATCH', `${definitions}/widgets.change.test`, { spec: { versions } }, merge);

const create = (members: object) =>
  server.send('POST', widgets, {
    apiVersion: 'change.test/v1',
    kind: 'Widget',
    metadata: { name: 'old' },
    ...members,
  });

const read = async (path = `${widgets}/old`) => (await server.send('GET', path)).body;

test('objects written before a default was added are read with it, in lists too', async () => {
  await define(version('v1', { a: text, b: text }, true));
  await create({ b: 'x' });

  await redefine(version('v1', { a: { ...text, default: 'A' }, b: text }, true));

  await expect.poll(() => read()).toMatchObject({ a: 'A', b: 'x' });
  expect((await read(widgets)).items).toMatchObject([{ a: 'A' }]);
  expect((await read(`${widgets}?labelSelector=!missing`)).items).toMatchObject([{ a: 'A' }]);
});

test('a field that the schema no longer has is not read back', async () => {
  await define(version('v1', { a: text, b: text }, true));
  await create({ a: 'y', b: 'x' });

  await redefine(version('v1', { a: text }, true));

  await expect.poll(() => read().then((body) => 'b' in body)).toBe(false);
  expect(await read()).toMatchObject({ a: 'y' });
});

test('objects stored in a former version can be read in the current ones', async () => {
  await define(version('v1', { a: text }, true));
  await create({ a: 'y' });

  await redefine(version('v1', { a: text }, false), version('v2', { a: text }, true));

  await expect
    .poll(() => read('/apis/change.test/v2/namespaces/default/widgets/old'))
    .toMatchObject({ apiVersion: 'change.test/v2', a: 'y' });
  expect(await read()).toMatchObject({ apiVersion: 'change.test/v1', a: 'y' });
});

test('a new object has the defaults of the status that it may not bring', async () => {
  const status = { type: 'object', default: { phase: 'New' }, properties: { phase: text } };
  await define({ ...version('v1', { status }, true), subresources: { status: {} } });

  expect((await create({ status: { phase: 'Old' } })).body).toMatchObject({ status: { phase: 'New' } });
  expect(await read()).toMatchObject({ status: { phase: 'New' } });
});
