import { systemClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../assemble.ts';

let server: AssembledApiServer;

beforeAll(async () => {
  server = await assembleKubeApiServer({ storage: new MemoryStorage(), clock: systemClock });
  await server.start();
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'application/json', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
});
afterAll(() => server.stop());

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        map: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
};

const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const widget = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec,
});

interface Answered {
  readonly message?: string;
  readonly metadata: Record<string, unknown>;
  readonly spec: unknown;
}

async function send(method: string, path: string, type: string, body?: object): Promise<Answered> {
  const transport = server.inProcess({ name: 'admin', groups: ['system:masters'] }, { structured: false });
  const response = await transport.send({
    method,
    path,
    headers: { 'content-type': type, 'user-agent': 'test' },
    ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }),
  });
  return JSON.parse(new TextDecoder().decode(await response.bytes())) as Answered;
}

test('a patch that changes nothing of a custom resource leaves its version', async () => {
  const created = await send('POST', widgets, 'application/json', widget('same', { size: 1 }));

  const patched = await send('PATCH', `${widgets}/same`, 'application/merge-patch+json', {
    spec: { size: 1 },
  });

  expect(patched.metadata['resourceVersion']).toBe(created.metadata['resourceVersion']);
});

test.each(['PATCH', 'PUT'])(
  'a %s that changes nothing writes what the definition now reads otherwise',
  async (method) => {
    const name = `things-${method.toLowerCase()}`;
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const group = `${name}.example.com`;
    const version = (name: string, storage: boolean, more: object = {}) => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: { ...schema, properties: { ...schema.properties, ...more } } },
    });
    const define = (versions: readonly object[]) => ({
      metadata: { name: `things.${group}` },
      spec: { group, scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions },
    });
    const things = `/apis/${group}/v1/things`;
    const unchanged = async () => {
      const { metadata, ...object } = await send('GET', `${things}/a`, '');
      const sent =
        method === 'PUT'
          ? await send('PUT', `${things}/a`, 'application/json', { metadata, ...object })
          : await send('PATCH', `${things}/a`, 'application/merge-patch+json', { metadata: {} });
      return sent.metadata['resourceVersion'] === metadata['resourceVersion'] ? 'kept' : 'written';
    };
    const redefine = (versions: readonly object[]) =>
      send('PATCH', `${definitions}/things.${group}`, 'application/merge-patch+json', { spec: { versions } });
    await send('POST', definitions, 'application/json', define([version('v1', true), version('v2', false)]));
    await send('POST', things, 'application/json', {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      metadata: { name: 'a' },
      spec: { size: 1 },
    });

    const seen = [await unchanged()];
    await redefine([version('v1', false), version('v2', true)]);
    seen.push(await unchanged(), await unchanged());
    await redefine([version('v1', false), version('v2', true, { on: { type: 'boolean', default: true } })]);
    seen.push(await unchanged(), await unchanged());

    expect(seen).toEqual(['kept', 'written', 'kept', 'written', 'kept']);
  },
);

test('a null in a map is dropped from a body, and refused in an apply', async () => {
  const created = await send(
    'POST',
    widgets,
    'application/json',
    widget('nulls', { map: { a: null, b: 'x' } }),
  );
  const applied = await send(
    'PATCH',
    `${widgets}/nulls?fieldManager=m&force=true`,
    'application/apply-patch+yaml',
    widget('nulls', { map: { a: null } }),
  );

  expect(created.spec).toEqual({ map: { b: 'x' } });
  expect(applied.message).toContain('spec.map.a in body must be of type string: "null"');
});

test('an empty entry clears the managed fields of a custom resource, an empty list does not', async () => {
  const { metadata, spec } = await send('POST', widgets, 'application/json', widget('cleared', { size: 1 }));
  const sent = (managedFields: object[]) =>
    send('PUT', `${widgets}/cleared`, 'application/json', {
      ...widget('cleared', spec as object),
      metadata: { ...metadata, managedFields },
    });

  const kept = await sent([]);
  const cleared = await sent([{}]);

  expect(kept.metadata['managedFields']).toEqual(metadata['managedFields']);
  expect(cleared.metadata['managedFields']).toBeUndefined();
});

test('an empty list clears the managed fields of a built-in kind', async () => {
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cleared' }, data: { a: 'b' } };
  const created = await send('POST', configMaps, 'application/json', configMap);

  const cleared = await send('PUT', `${configMaps}/cleared`, 'application/json', {
    ...configMap,
    metadata: { name: 'cleared', managedFields: [] },
  });

  expect(created.metadata['managedFields']).toHaveLength(1);
  expect(cleared.metadata['managedFields']).toBeUndefined();
});

test("an apply by kubectl keeps client-side apply's annotation true", async () => {
  const key = 'kubectl.kubernetes.io/last-applied-configuration';
  await send(
    'POST',
    widgets,
    'application/json',
    widget('annotated', { size: 1 }, { annotations: { [key]: '{}' } }),
  );
  const path = `${widgets}/annotated`;

  const byKubectl = await send(
    'PATCH',
    `${path}?fieldManager=kubectl&force=true`,
    'application/apply-patch+yaml',
    widget('annotated', { size: 2 }),
  );
  const byAnother = await send(
    'PATCH',
    `${path}?fieldManager=other&force=true`,
    'application/apply-patch+yaml',
    widget('annotated', { size: 3 }),
  );

  const text =
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"annotated"},"spec":{"size":2}}\n';
  expect((byKubectl.metadata['annotations'] as Record<string, string>)[key]).toBe(text);
  expect((byAnother.metadata['annotations'] as Record<string, string>)[key]).toBe(text);
});
