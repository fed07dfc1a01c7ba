/** Small requests that want much work: each is answered soon, and with a refusal where it is one. */
import { connect } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedServer, type AttackedServer, type Sent } from './attacked-server.ts';

let attacked: AttackedServer;
beforeAll(async () => void (attacked = await attackedServer()));
afterAll(() => attacked.stop());

/**
 * Of this thread's processor, on which the server runs, so that a busy machine changes little. Far more than any of them
 * takes, far less than what they would take if it grew with the square.
 */
const costMsMax = 5_000;

function costMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const yaml = { 'content-type': 'application/yaml' };
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Each line is ten times the one before. */
const laughs = [
  'apiVersion: v1',
  'kind: ConfigMap',
  'a0: &a0 [x,x,x,x,x,x,x,x,x,x]',
  ...Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`),
].join('\n');

const post = (body: string | Uint8Array, headers: Sent['headers'] = {}): Sent => ({
  path: configMaps,
  method: 'POST',
  body,
  headers,
});

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' };

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];

/** A field of protobuf that holds bytes. */
const field = (number: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([...varint((number << 3) | 2), ...varint(content.length)]), content]);

/** What a client sends of an object: the envelope, and in it the object. */
const enveloped = (apiVersion: string, kind: string, raw: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))])),
    field(2, raw),
  ]);

/** A message in a message in a message, each in the same field. */
function nestedMessages(number: number, depth: number): Uint8Array {
  const heads: number[][] = [];
  let length = 0;
  for (let at = 0; at < depth; at++) {
    const head = [...varint((number << 3) | 2), ...varint(length)];
    heads.push(head);
    length += head.length;
  }
  return Uint8Array.from(heads.toReversed().flat());
}

const strict = `${configMaps}?fieldValidation=Strict`;

const requests: readonly (readonly [what: string, statuses: readonly number[], request: () => Sent])[] = [
  [
    'a compressed body: 20 MB in 20 KB',
    [400, 415],
    () => post(gzipSync(Buffer.alloc(20_000_000, 'x')), { 'content-encoding': 'gzip' }),
  ],
  ['a body beyond the bound', [413], () => post('x'.repeat(4_000_000))],
  ['JSON nested deep', [400], () => post(nested('[', ']', 500_000))],
  ['JSON objects nested deep', [400, 422], () => post(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`)],
  ['YAML nested deep', [400], () => post(nested('[', ']', 100_000), yaml)],
  [
    'YAML indented deep',
    [400, 422],
    () => post(Array.from({ length: 1500 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'), yaml),
  ],
  ['YAML of aliases', [400, 413, 422], () => post(laughs, yaml)],
  ['YAML that refers to itself', [400, 422], () => post('a: &a [*a]', yaml)],
  ['many documents', [400, 422], () => post('---\n'.repeat(300_000), yaml)],
  [
    'the same member again and again',
    [201, 400, 422],
    () => post(`{"metadata":{"name":"same"},"data":{${'"a":"b",'.repeat(200_000)}"a":"c"}}`),
  ],
  [
    'unknown members without number',
    [201, 400, 422],
    () =>
      post(
        `{"metadata":{"name":"unknown"},${Array.from({ length: 100_000 }, (_, at) => `"u${at}":1`).join(',')}}`,
      ),
  ],
  ['a number of many digits', [400, 422], () => post(`{"metadata":{"generation":${'9'.repeat(1_000_000)}}}`)],
  [
    'a selector of many values',
    [200, 400],
    () => ({ path: `${configMaps}?labelSelector=a+in+(${'b,'.repeat(60_000)}b)` }),
  ],
  [
    'a selector of many requirements',
    [200, 400],
    () => ({ path: `${configMaps}?labelSelector=${'a!%3Db,'.repeat(60_000)}c` }),
  ],
  [
    'a selector that never closes',
    [400],
    () => ({ path: `${configMaps}?labelSelector=a+in+${'('.repeat(200_000)}` }),
  ],
  [
    'blanks in a selector',
    [200, 400],
    () => ({ path: `${configMaps}?labelSelector=a${'+'.repeat(300_000)}b` }),
  ],
  [
    'a field selector of many terms',
    [200, 400],
    () => ({ path: `${configMaps}?fieldSelector=${'metadata.name%3Da,'.repeat(20_000)}metadata.name%3Db` }),
  ],
  ['a path of many parts', [403, 404], () => ({ path: `/api/v1/${'a/'.repeat(200_000)}` })],
  ['a query of many parameters', [200], () => ({ path: `${configMaps}?${'a=b&'.repeat(150_000)}` })],
  [
    'a long list of what is accepted',
    [431],
    () => ({ path: configMaps, headers: { accept: 'application/x;q=0.1,'.repeat(20_000) } }),
  ],
  [
    'blanks in what is accepted',
    [431],
    () => ({ path: configMaps, headers: { accept: `application/json${' '.repeat(300_000)};q=1` } }),
  ],
  [
    'a continue token that is none',
    [400, 410],
    () => ({ path: `${configMaps}?limit=1&continue=${'A'.repeat(500_000)}` }),
  ],
  [
    'the same member again and again, each to be told of',
    [400],
    () => ({
      ...post(`{"metadata":{"name":"told"},"data":{${'"a":"b",'.repeat(200_000)}"a":"c"}}`),
      path: strict,
    }),
  ],
  [
    'unknown members without number, each to be told of',
    [400],
    () => ({
      ...post(
        `{"metadata":{"name":"told"},${Array.from({ length: 100_000 }, (_, at) => `"u${at}":1`).join(',')}}`,
      ),
      path: strict,
    }),
  ],
  [
    'the same member again and again in YAML',
    [400],
    () => ({ ...post(`metadata:\n  name: told\ndata:\n${'  a: b\n'.repeat(50_000)}`, yaml), path: strict }),
  ],
  [
    'schemas in schemas without end',
    [400, 413, 422],
    () => ({
      ...post(
        `{"metadata":{"name":"a.b.c"},"spec":{"validation":{"openAPIV3Schema":${'{"not":'.repeat(100_000)}{}${'}'.repeat(100_000)}}}}`,
      ),
      path: crds,
    }),
  ],
  [
    'schemas in schemas without end, in protobuf',
    [400, 422],
    () => ({
      path: crds,
      method: 'POST',
      headers: protobuf,
      // spec, versions, schema, openAPIV3Schema; from there on, `not`.
      body: enveloped(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        field(2, field(7, field(4, field(1, nestedMessages(28, 200_000))))),
      ),
    }),
  ],
  [
    'groups of protobuf that are opened and never closed',
    [400],
    () => post(enveloped('v1', 'ConfigMap', Buffer.alloc(2_000_000, (15 << 3) | 3)), protobuf),
  ],
  [
    'a length that no message has',
    [400],
    () =>
      post(
        enveloped('v1', 'ConfigMap', Uint8Array.from([10, 255, 255, 255, 255, 255, 255, 255, 255, 127])),
        protobuf,
      ),
  ],
  [
    'a number that never ends',
    [400],
    () => post(enveloped('v1', 'ConfigMap', Buffer.alloc(1_000_000, 255)), protobuf),
  ],
  [
    'CBOR in CBOR without end',
    [415],
    () => post(Buffer.alloc(1_000_000, 0x81), { 'content-type': 'application/cbor' }),
  ],
  [
    'an applied configuration of aliases',
    [400, 413, 422, 500],
    () => ({
      path: `${configMaps}/target?fieldManager=m`,
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: laughs,
    }),
  ],
  ...(['merge', 'strategic-merge', 'json'] as const).map(
    (kind) =>
      [
        `a ${kind} patch nested deep`,
        [400, 404, 413, 422],
        () => ({
          path: `${configMaps}/target`,
          method: 'PATCH',
          headers: { 'content-type': `application/${kind}-patch+json` },
          body: `{"data":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
        }),
      ] as const,
  ),
  [
    'a review of somebody in a hundred thousand groups',
    [201, 400],
    () => ({
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      method: 'POST',
      body: JSON.stringify({
        spec: {
          user: 'x',
          groups: Array.from({ length: 100_000 }, (_, at) => `g${at}`),
          resourceAttributes: { verb: 'get', resource: 'pods' },
        },
      }),
    }),
  ],
  [
    'a review with a selector of many requirements',
    [201, 400, 422],
    () => ({
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      method: 'POST',
      body: JSON.stringify({
        spec: {
          resourceAttributes: {
            verb: 'list',
            resource: 'pods',
            labelSelector: { rawSelector: 'a!=b,'.repeat(200_000) + 'c' },
          },
        },
      }),
    }),
  ],
  [
    'a patch that copies what it has copied',
    [400, 404, 413, 422],
    () => ({
      path: `${configMaps}/target`,
      method: 'PATCH',
      headers: { 'content-type': 'application/json-patch+json' },
      body: JSON.stringify(
        Array.from({ length: 40 }, (_, at) => ({ op: 'copy', from: '/metadata', path: `/metadata/x${at}` })),
      ),
    }),
  ],
  [
    'a patch of many operations',
    [400, 404, 413, 422],
    () => ({
      path: `${configMaps}/target`,
      method: 'PATCH',
      headers: { 'content-type': 'application/json-patch+json' },
      body: JSON.stringify(
        Array.from({ length: 20_000 }, () => ({ op: 'add', path: '/data/a', value: 'b' })),
      ),
    }),
  ],
];

describe('is answered soon', () => {
  beforeAll(async () => {
    const body = JSON.stringify({ metadata: { name: 'target' }, data: { a: 'x'.repeat(1000) } });
    await attacked.send({ ...post(body), as: 'admin' });
  });

  test.each(requests)('%s', async (_what, statuses, request) => {
    const fromMs = costMs();

    const { status } = await attacked.send({ ...request(), as: 'admin' });

    expect(statuses).toContain(status);
    expect(costMs() - fromMs).toBeLessThan(costMsMax);
  });
});

test('a thousand reviews at once leave the others their answers', async () => {
  const body = JSON.stringify({ spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } });
  const session = connect(`https://127.0.0.1:${attacked.port}`, { rejectUnauthorized: false });
  const review = () =>
    new Promise<number>((resolve, reject) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        'content-type': 'application/json',
        authorization: 'Bearer alice-token',
      });
      stream.on('response', (head) => resolve(Number(head[':status'])));
      stream.on('error', reject);
      stream.resume();
      stream.end(body);
    });
  const storm = Array.from({ length: 1_000 }, review);
  const fromMs = costMs();

  const { status } = await attacked.send({ path: `${configMaps}/target`, as: 'admin' });

  expect(status).toBe(200);
  expect(costMs() - fromMs).toBeLessThan(costMsMax);
  for (const answered of await Promise.all(storm)) expect([201, 429]).toContain(answered);
  session.destroy();
});
