/**
 * A webhook and an aggregated API server that answers with whatever its path says, in a process of its own:
 * `/LIE/…`, with the names in `lies`.
 */
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fork, type ChildProcess } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { selfSigned } from '../packages/apiserver/src/testing/self-signed.ts';

export interface LyingServer {
  readonly address: string;
  /** The base64 of its certificate. */
  readonly authority: string;
  readonly child: ChildProcess;
}

export async function startLyingServer(): Promise<LyingServer> {
  const child = fork(import.meta.filename, ['--lie']);
  const [address, authority] = await new Promise<[string, string]>((resolve) => {
    child.once('message', (message) => resolve(message as [string, string]));
  });
  return { address, authority, child };
}

interface Review {
  readonly kind: string;
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly Record<string, unknown>[];
  };
}

type Lie = (review: Review, response: ServerResponse) => void;

const megabyte = 1024 * 1024;

const send = (
  response: ServerResponse,
  text: string | Buffer,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(text);
};

/** Between these two goes what is told of each object. */
const [before, after] = ((): readonly [(review: Review) => string, string] => [
  ({ kind, apiVersion, request: { uid } }) =>
    `{"kind":"${kind}","apiVersion":"${apiVersion}","response":{"uid":"${uid}","result":{"status":"Success"},"convertedObjects":[`,
  ']}}',
])();

const numbers = `[${Array.from({ length: 100_000 }, (_, at) => at % 10).join(',')}]`;
const members = (count: number): string =>
  Array.from({ length: count }, (_, at) => `"key-${at}":"v"`).join(',');
const manyMembers = `{${members(300_000)}}`;
const someMembers = `{${members(40_000)}}`;
const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const deepText = deep(9_000);
const deepest = deep(3_500_000);
const endlessPiece = 'x'.repeat(64 * 1024);

const converted =
  (extra: string): Lie =>
  (review, response) => {
    const objects = review.request.objects!.map((object) => {
      const text = JSON.stringify({ ...object, apiVersion: review.request.desiredAPIVersion, spec: 0 });
      return text.replace('"spec":0', `"spec":${extra}`);
    });
    send(response, `${before(review)}${objects.join(',')}${after}`);
  };

const patched =
  (patch: string): Lie =>
  ({ kind, apiVersion, request: { uid } }, response) => {
    const encoded = Buffer.from(patch).toString('base64');
    send(
      response,
      `{"kind":"${kind}","apiVersion":"${apiVersion}","response":{"uid":"${uid}","allowed":true,"patchType":"JSONPatch","patch":"${encoded}"}}`,
    );
  };
const answered =
  (more: string): Lie =>
  ({ kind, apiVersion, request: { uid } }, response) =>
    send(response, `{"kind":"${kind}","apiVersion":"${apiVersion}","response":{"uid":"${uid}",${more}}}`);

const endless = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(endlessPiece));
  };
  response.on('drain', more);
  more();
};

const drip = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
};

const bomb = gzipSync(Buffer.alloc(256 * megabyte, 32));
const copies = JSON.stringify([
  { op: 'add', path: '/data', value: { a: 'x'.repeat(1_000) } },
  ...Array.from({ length: 30 }, (_, at) => ({ op: 'copy', from: '/data', path: `/data/copy${at}` })),
]);
const adds = JSON.stringify(
  Array.from({ length: 9_000 }, (_, at) => ({ op: 'add', path: `/metadata/annotations/a${at}`, value: 'v' })),
).replace('[', '[{"op":"add","path":"/metadata/annotations","value":{}},');
const tests = JSON.stringify(
  Array.from({ length: 9_000 }, () => ({ op: 'test', path: '', value: { a: 'v' } })),
);

const lies: Readonly<Record<string, Lie>> = {
  members: (review, response) => converted(manyMembers)(review, response),
  some: converted(someMembers),
  small: converted('{"a":"b"}'),
  numbers: converted(numbers),
  deep: converted(deepText),
  deepest: converted(deepest),
  endless: (_, response) => endless(response),
  drip: (_, response) => drip(response),
  silent: () => undefined,
  bomb: (_, response) => send(response, bomb, { 'content-encoding': 'gzip' }),
  copies: patched(copies),
  adds: patched(adds),
  tests: patched(tests),
  patch: patched(JSON.stringify([{ op: 'add', path: '/data', value: JSON.parse(someMembers) }])),
  short: patched(JSON.stringify([{ op: 'add', path: '/data', value: JSON.parse(`{${members(6_000)}}`) }])),
  warnings: answered(`"allowed":true,"warnings":[${Array(30_000).fill('"beware"').join(',')}]`),
  annotations: answered(`"allowed":true,"auditAnnotations":{${members(5_000)}}`),
  refusal: answered(`"allowed":false,"status":{"message":"${'no '.repeat(40_000)}"}`),
  nested: answered(`"allowed":true,"more":${deep(60_000)}`),
  allow: answered('"allowed":true'),
};

/** Of the aggregated server: by the host that it is asked as. */
const openApi = (count: number): string =>
  `{"swagger":"2.0","info":{"title":"t","version":"v"},"paths":{${Array.from(
    { length: count },
    (_, at) =>
      `"/apis/lies.example/v1/p${at}":{"get":{"responses":{"200":{"description":"OK","schema":{"$ref":"#/definitions/d${at}"}}}}}`,
  ).join(
    ',',
  )}},"definitions":{${Array.from({ length: count }, (_, at) => `"d${at}":{"type":"object","properties":{"a":{"type":"string"}}}`).join(',')}}}`;

const document = (lie: string, path: string): string | undefined => {
  if (path === '/apis')
    return lie === 'odd'
      ? '{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{"name":"odd.example"},"versions":[{"version":"v1","resources":[null,1,"x",{"resource":"as","subresources":[null,3]},{"resource":5,"responseKind":7,"verbs":"x"}]}]}]}'
      : `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{"name":"lies.example"},"versions":[{"version":"v1","resources":[${Array.from({ length: 30_000 }, (_, at) => `{"resource":"r${at}","responseKind":{"group":"lies.example","version":"v1","kind":"R${at}"},"scope":"Namespaced","singularResource":"","verbs":["get","list"]}`).join(',')}]}]}]}`;
  if (path === '/openapi/v2')
    return lie === 'odd'
      ? `{"swagger":"2.0","paths":{"/apis/odd.example/v1/":${deep(3_000_000)}},"definitions":[1],"parameters":3}`
      : openApi(40_000);
  if (path === '/openapi/v3')
    return `{"paths":{${lie === 'odd' ? '"apis/odd.example/v1":null,"apis/odd.example":{"serverRelativeURL":"x y\\u0000"}' : `"apis/lies.example/v1":{"serverRelativeURL":"/openapi/v3/apis/lies.example/v1?hash=1"},${Array.from({ length: 60_000 }, (_, at) => `"p${at}":{"serverRelativeURL":"/p${at}"}`).join(',')}`}}}`;
  return undefined;
};

async function lie(): Promise<void> {
  const { key, cert } = await selfSigned('localhost', ['127.0.0.1']);
  const server = createServer({ key, cert }, (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.on('data', (piece: Buffer) => (text += piece.toString()));
    request.on('end', () => {
      response.on('error', () => undefined);
      const path = request.url!.split('?')[0]!;
      const odd = path.includes('odd.example') || process.env['ODD'] === '1';
      if (request.method !== 'POST') {
        const told = document(odd ? 'odd' : '', path);
        if (told !== undefined) {
          const type =
            path === '/apis'
              ? 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
              : 'application/json';
          return send(response, told, { 'content-type': type });
        }
        if (path.endsWith('/endless')) return endless(response);
        if (path.endsWith('/drip')) return drip(response);
        if (path.endsWith('/silent')) return;
        return send(response, '{"kind":"APIResourceList","resources":[]}');
      }
      lies[path.split('/')[1]!]?.(JSON.parse(text) as Review, response);
    });
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send!([`https://127.0.0.1:${port}`, Buffer.from(cert).toString('base64')]);
  });
  process.on('disconnect', () => process.exit());
}

if (process.argv[2] === '--lie') await lie();
