import { systemClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../assemble.ts';

let server: AssembledApiServer;

const schema = (own: string, defaulted: string) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          shared: { type: 'integer' },
          [own]: { type: 'string', pattern: '^[a-z]*$' },
          [defaulted]: { type: 'string', default: 'x' },
        },
      },
    },
  },
});

beforeAll(async () => {
  server = await assembleKubeApiServer({ storage: new MemoryStorage(), clock: systemClock });
  await server.start();
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: schema('one', 'defaultOne') },
        { name: 'v2', served: true, storage: false, schema: schema('two', 'defaultTwo') },
        { name: 'v1beta1', served: true, storage: false, deprecated: true, schema: schema('old', 'older') },
      ],
    },
  });
});
afterAll(() => server.stop());

async function send(method: string, path: string, object?: object) {
  const transport = server.inProcess({ name: 'jane', groups: ['system:masters'] }, { structured: false });
  const response = await transport.send({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(object && { body: new TextEncoder().encode(JSON.stringify(object)) }),
  });
  const text = new TextDecoder().decode(await response.bytes());
  const isJson = text.startsWith('{');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

const at = (version: string) => `/apis/example.com/${version}/namespaces/default/widgets`;

test('fields that another version lacks are lost, and only the stored version applies defaults', async () => {
  const widget = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'a' } };
  const made = await send('POST', at('v2'), { ...widget, spec: { shared: 1, two: 'y' } });

  expect(made.body).toMatchObject({ apiVersion: 'example.com/v2', kind: 'Widget' });
  expect(made.body.spec).toEqual({ shared: 1 });
  expect((await send('GET', `${at('v1')}/a`)).body.spec).toEqual({ shared: 1, defaultOne: 'x' });
});

test('a version validates by its own schema, before it becomes the stored one', async () => {
  const widget = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'b' } };
  const refused = await send('POST', at('v2'), { ...widget, spec: { two: 'Y' } });

  expect(refused.status).toBe(422);
  expect(refused.body.details.causes).toEqual([
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: "Y": spec.two in body should match \'^[a-z]*$\'',
      field: 'spec.two',
    },
  ]);
});

test('a deprecated version names the one to use', async () => {
  const { headers } = await send('GET', at('v1beta1'));

  expect(headers['warning']).toContain(
    '299 - "example.com/v1beta1 Widget is deprecated; use example.com/v2 Widget"',
  );
});

test('a body of another kind is refused with its name', async () => {
  const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } };

  expect(await send('POST', at('v1'), gadget)).toMatchObject({
    status: 422,
    body: {
      message: 'Gadget.example.com "g" is invalid: kind: Invalid value: "Gadget": must be Widget',
    },
  });
});

test.each([
  ['GET', '/apis/example.com/v9/namespaces/default/widgets', 404, '404 page not found\n'],
  ['GET', '/apis/example.com/v1/namespaces/default/gadgets', 404, '404 page not found\n'],
  ['DELETE', '/apis/example.com/v1/widgets', 404, '404 page not found\n'],
  ['GET', `${at('v1')}/a/status`, 404, { message: 'widgets.example.com "a" not found' }],
  ['PUT', at('v1'), 400, { message: 'name must be provided' }],
  ['OPTIONS', at('v1'), 405, { message: ' is not supported on resources of kind "widgets.example.com"' }],
])('%s %s is answered with %i', async (method, path, status, body) => {
  const answer = await send(method, path);

  expect(answer.status).toBe(status);
  if (typeof body === 'string') expect(answer.body).toBe(body);
  else expect(answer.body).toMatchObject(body);
});
