import { systemClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../assemble.ts';

const free = { 'x-kubernetes-preserve-unknown-fields': true };
const schema = {
  type: 'object',
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string', pattern: '^[a-m]' } } },
    spec: {
      type: 'object',
      properties: {
        free,
        map: { type: 'object', additionalProperties: free },
        port: { 'x-kubernetes-int-or-string': true },
        at: { type: 'string', format: 'date-time' },
        text: { type: 'string' },
        odd: { type: 'number', format: 'int32' },
        count: { type: 'integer', minimum: 0 },
        point: { ...free, type: 'object', default: { y: { d: 1, c: 2 }, x: 3 } },
      },
    },
    status: { type: 'object', properties: { count: { type: 'integer' } } },
  },
};

const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' },
};

let server: AssembledApiServer;
let created: string;

beforeAll(async () => {
  server = await assembleKubeApiServer({ storage: new MemoryStorage(), clock: systemClock });
  await server.start();
  created = await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources },
      ],
    },
  });
});
afterAll(() => server.stop());

async function send(method: string, path: string, body?: object, type = 'application/json'): Promise<string> {
  const transport = server.inProcess({ name: 'admin', groups: ['system:masters'] }, { structured: false });
  const response = await transport.send({
    method,
    path,
    headers: { 'content-type': type, 'user-agent': 'test' },
    ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }),
  });
  return new TextDecoder().decode(await response.bytes());
}

const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const widget = (name: string, spec: object): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
});

interface Answered {
  readonly code?: number;
  readonly message?: string;
  readonly spec?: Readonly<Record<string, unknown>>;
}

const applied = async (spec: object): Promise<Answered> =>
  JSON.parse(
    await send(
      'PATCH',
      `${widgets}/a?fieldManager=me&dryRun=All`,
      widget('a', spec),
      'application/apply-patch+yaml',
    ),
  ) as Answered;

test("the schema's rules for names are enforced", async () => {
  const { message } = JSON.parse(await send('POST', widgets, widget('x', {}))) as Answered;
  expect(message).toBe(
    'Widget.example.com "x" is invalid: metadata.name: Invalid value: "x": metadata.name in body should match \'^[a-m]\'',
  );
});

test('values in a definition come back with their members sorted', () => {
  expect(created).toContain('"default":{"x":3,"y":{"c":2,"d":1}}');
});

test('an applied null is dropped where any value is allowed, other nulls are refused', async () => {
  expect((await applied({ free: null, map: { a: null } })).spec).toMatchObject({ map: {} });
  expect((await applied({ free: null })).spec).not.toHaveProperty('free');
  expect((await applied({ port: null })).message).toContain('must be of type integer,string: "null"');
});

test.each([
  [{ port: [1] }, 422, 'spec.port in body must be of type integer,string: "array"'],
  [{ at: 1 }, 422, 'spec.at in body must be of type date-time: "int64"'],
  [{ at: {} }, 500, '.spec.at: expected any scalar, got &{map[]}'],
  [{ text: 1 }, 500, '.spec.text: expected string, got &value.valueUnstructured{Value:1}'],
])('applying %j is refused by what is to refuse it', async (spec, code, text) => {
  const answer = await applied(spec);
  expect(answer.code).toBe(code);
  expect(answer.message).toContain(text);
});

test('metadata of a list is sorted, with a continue that is there when empty', async () => {
  expect(await send('GET', widgets)).toMatch(/"metadata":\{"continue":"","resourceVersion":"\d+"\}\}\n$/);
  await send('POST', widgets, widget('a', {}));
  await send('POST', widgets, widget('b', {}));
  expect(await send('GET', `${widgets}?limit=1`)).toMatch(
    /"metadata":\{"continue":"[^"]+","remainingItemCount":1,"resourceVersion":"\d+"\}\}\n$/,
  );
});

describe('of a widget that is there', () => {
  let resourceVersion: string | undefined;

  beforeAll(async () => {
    const answer = await send('POST', widgets, widget('c', { count: 1 }));
    ({ resourceVersion } = (JSON.parse(answer) as { metadata: { resourceVersion: string } }).metadata);
  });

  const asked = async (...args: Parameters<typeof send>): Promise<Answered> =>
    JSON.parse(await send(...args)) as Answered;

  test('a status update needs only version and name', async () => {
    const body = { ...widget('c', {}), metadata: { name: 'c', resourceVersion }, status: { count: 2 } };
    expect(await asked('PUT', `${widgets}/c/status?dryRun=All`, body)).toMatchObject({
      spec: { count: 1 },
      status: { count: 2 },
    });
    // Nor does it need the right kind.
    expect(await asked('PUT', `${widgets}/c/status?dryRun=All`, { ...body, kind: 'Other' })).toMatchObject({
      kind: 'Widget',
    });
  });

  test('a missing version is reported before a wrong kind', async () => {
    const other = { ...widget('c', {}), kind: 'Other' };
    const path = `${widgets}/c?dryRun=All`;
    expect((await asked('PUT', path, other)).message).toContain('must be specified for an update');
    const versioned = { ...other, metadata: { name: 'c', resourceVersion } };
    expect((await asked('PUT', path, versioned)).message).toContain(
      'kind: Invalid value: "Other": must be Widget',
    );
  });

  test.each([
    [{ kind: null }, 422, "Object 'Kind' is missing in"],
    [{ apiVersion: null }, 500, "Object 'apiVersion' is missing in"],
  ])('a patch to %j is refused', async (patch, code, text) => {
    const answer = await asked('PATCH', `${widgets}/c`, patch, 'application/merge-patch+json');
    expect(answer.code).toBe(code);
    expect(answer.message).toContain(text);
  });

  test('a scale is held against the schema, and is not merged strategically', async () => {
    const path = `${widgets}/c/scale?dryRun=All`;
    const patch = { spec: { replicas: -1 } };
    expect((await asked('PATCH', path, patch, 'application/merge-patch+json')).message).toContain(
      '[spec.count: Invalid value: -1: spec.count in body should be greater than or equal to 0, ' +
        '.spec.count: Invalid value: -1: should be a non-negative integer]',
    );
    expect((await asked('PATCH', path, patch, 'application/strategic-merge-patch+json')).code).toBe(415);
    const other = { apiVersion: 'autoscaling/v2', kind: 'Scale', metadata: { name: 'c' } };
    expect((await asked('PUT', path, other)).message).toBe(
      'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"',
    );
  });
});

test('an unknown version has only metadata', async () => {
  const body = { ...widget('e', {}), apiVersion: 'example.com/v2' };
  const answer = JSON.parse(await send('POST', `${widgets}?fieldValidation=Strict`, body)) as Answered;
  expect(answer.message).toBe(
    'Widget in version "v2" cannot be handled as a Widget: strict decoding error: unknown field "spec"',
  );
});

test('a format that does not belong to a type is no format', async () => {
  const { message } = JSON.parse(await send('POST', widgets, widget('d', { odd: true }))) as Answered;
  expect(message).toContain('spec.odd in body must be of type number: "boolean"');
});
