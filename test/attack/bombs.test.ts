/** Small requests that want much work: each is answered soon, and with a refusal where it is one. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedServer } from './attacked-server.ts';
import type { AttackedServer, Sent } from './attacked-server.ts';

let attacked: AttackedServer;
beforeAll(async () => void (attacked = await attackedServer()));
afterAll(() => attacked.stop());

/** Far more than any of them takes, far less than what they would take if it grew with the square. */
const patienceMs = 5_000;

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
    [200, 406],
    () => ({ path: configMaps, headers: { accept: 'application/x;q=0.1,'.repeat(20_000) } }),
  ],
  [
    'blanks in what is accepted',
    [200, 406],
    () => ({ path: configMaps, headers: { accept: `application/json${' '.repeat(300_000)};q=1` } }),
  ],
  [
    'a continue token that is none',
    [400, 410],
    () => ({ path: `${configMaps}?limit=1&continue=${'A'.repeat(500_000)}` }),
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
    const fromMs = performance.now();

    const { status } = await attacked.send({ ...request(), as: 'admin' });

    expect(statuses).toContain(status);
    expect(performance.now() - fromMs).toBeLessThan(patienceMs);
  });
});
