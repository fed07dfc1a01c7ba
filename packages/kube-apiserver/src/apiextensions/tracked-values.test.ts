/** How applies and other writes treat values that the schema doesn't have, or no longer has. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ManagedFieldsEntry } from '@coxswain/apimachinery';
import { startedServer, type StartedServer } from '../testing/started-server.ts';

let server: StartedServer;
beforeEach(async () => {
  server = await startedServer({});
  const { status } = await server.send('POST', definitions, {
    metadata: { name: 'widgets.values.test' },
    spec: {
      group: 'values.test',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [version({ type: 'string' })],
    },
  });
  expect(status).toBe(201);
  await expect.poll(() => server.send('GET', widgets).then(({ status: code }) => code)).toBe(200);
});
afterEach(() => server.stop());

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/values.test/v1/namespaces/default/widgets';
const merge = 'application/merge-patch+json';

const version = (size: object) => ({
  name: 'v1',
  served: true,
  storage: true,
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size,
            tone: { type: 'string' },
            free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            inner: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
        },
        status: { type: 'object', properties: { seen: { type: 'integer' } } },
      },
    },
  },
});

const apply = (manager: string, spec: object, more = '', metadata: object = {}) =>
  server.send(
    'PATCH',
    `${widgets}/a?fieldManager=${manager}${more}`,
    { apiVersion: 'values.test/v1', kind: 'Widget', metadata: { name: 'a', ...metadata }, spec },
    'application/apply-patch+yaml',
  );

interface Widget {
  readonly metadata: { readonly resourceVersion: string; readonly managedFields?: ManagedFieldsEntry[] };
  readonly spec: { readonly free?: unknown };
}

const read = async () => (await server.send('GET', `${widgets}/a`)).body as unknown as Widget;

test('an apply that empties a map or list leaves null, which most schemas refuse', async () => {
  await apply('one', { size: 'x', free: { any: { a: 1 } } });
  await apply('one', { size: 'x', free: { any: {} } });
  expect((await read()).spec.free).toEqual({ any: null });
  expect((await apply('one', {})).body).toMatchObject({
    code: 422,
    message: expect.stringContaining('spec in body must be of type object: "null"') as string,
  });
});

test('null takes nothing from a map without a schema', async () => {
  await apply('one', { free: { any: { a: 1 } } });
  await apply('two', { free: { any: null } }, '&force=true');
  expect((await read()).spec.free).toEqual({ any: { a: 1 } });
});

test('an object that no longer fits its schema is not tracked, and cannot be applied', async () => {
  await apply('one', { size: 'x' });
  const before = await read();
  const change = { spec: { versions: [version({ type: 'integer' })] } };
  await server.send('PATCH', `${definitions}/widgets.values.test`, change, merge);
  await expect
    .poll(async () => (await apply('two', { tone: 'high' })).body.message)
    .toBe(
      'failed to create typed live object (default/a; values.test/v1, Kind=Widget): ' +
        '.spec.size: expected numeric (int or float), got string',
    );
  await server.send('PATCH', `${widgets}/a`, {}, merge);
  const after = await read();
  expect(after.metadata.managedFields).toBeUndefined();
  expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
});

test('errors of a status have paths relative to it', async () => {
  await apply('one', { size: 'x' });
  const { body } = await server.send('PATCH', `${widgets}/a/status`, { status: { seen: 'x' } }, merge);
  expect(body.message).toBe(
    'Widget.values.test "a" is invalid: status.seen: Invalid value: "string": seen in body must be of type integer: "string"',
  );
});

test('an apply whose own metadata can’t be read loses that; within an embedded object it is refused', async () => {
  const times = { creationTimestamp: 'soon', deletionTimestamp: 5, selfLink: '/a' };
  const applied = await apply('one', { size: 'x' }, '', times);
  expect(applied.status).toBe(201);
  const { metadata } = applied.body as unknown as { metadata: Record<string, unknown> };
  expect(metadata['creationTimestamp']).toMatch(/Z$/);
  expect(metadata).not.toHaveProperty('deletionTimestamp');
  expect(metadata).not.toHaveProperty('selfLink');

  const inner = { apiVersion: 'v1', kind: 'A', metadata: { creationTimestamp: 5 } };
  expect(await apply('one', { size: 'x', inner })).toMatchObject({
    status: 422,
    body: {
      message:
        'Widget.values.test "a" is invalid: spec.inner.metadata: Invalid value: {"creationTimestamp":5}: json: cannot unmarshal number into Go struct field ObjectMeta.creationTimestamp of type string',
      details: { causes: [{ reason: 'FieldValueInvalid', field: 'spec.inner.metadata' }] },
    },
  });
});
