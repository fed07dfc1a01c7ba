/** Extension servers that hang, answer garbage or without end: they hurt nobody but who asks them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackedServer, type AttackedServer } from './attacked-server.ts';
import { discovery, extensionServer, type ExtensionServer } from './extension-server.ts';

let attacked: AttackedServer;
const servers: ExtensionServer[] = [];

beforeAll(async () => void (attacked = await attackedServer()));
afterAll(async () => {
  for (const server of servers) server.stop();
  await attacked.stop();
});

type Misbehave = (response: ServerResponse, request: IncomingMessage) => void;

async function register(
  group: string,
  misbehave: Misbehave,
  available?: 'True' | 'False',
  isMisbehaving = (_request: IncomingMessage): boolean => true,
): Promise<void> {
  const server = await extensionServer(attacked, (request, response) =>
    isMisbehaving(request) ? misbehave(response, request) : void response.end(discovery(group)),
  );
  servers.push(server);
  await server.register(group, available);
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  attacked.send({ path, as: 'admin', headers });

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const plain = 'application/json';
const chunk = Buffer.alloc(64 * 1024, ' ');

function endless(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

/** All documents are served, and tell the server's own resources. */
async function everythingElseIsServed(): Promise<void> {
  for (const path of ['/api', '/apis', '/openapi/v2', '/openapi/v3']) {
    const { status, text } = await get(path);
    expect(status, `${path}: ${text.slice(0, 300)}`).toBe(200);
  }
  const { status, text } = await get('/apis', { accept: aggregated });
  expect(status, text.slice(0, 300)).toBe(200);
  expect(text).toContain('"resource":"deployments"');
}

const documentPaths = ['/apis', '/openapi/v2', '/openapi/v3'];
const isDocument = ({ url = '' }: IncomingMessage): boolean =>
  documentPaths.includes(url.split('?')[0]!) || url.startsWith('/apis/');

/** In what is said of resources and groups, and in descriptions. */
const garbage: readonly (readonly [form: string, document: unknown])[] = [
  [plain, null],
  [plain, { resources: [null], paths: null, definitions: 5 }],
  [
    plain,
    {
      resources: [{ name: null, verbs: 'get' }, { name: '__proto__' }, { name: 'a/b/c' }, { name: {} }],
      paths: { '/apis/GROUP/v1/x': null, 'apis/GROUP/v1': 5 },
      definitions: { a: null },
    },
  ],
  [aggregated, { items: [null, 5, { metadata: null }], paths: [1], definitions: [2] }],
  [
    aggregated,
    {
      items: [
        { metadata: { name: 'GROUP' }, versions: [null, { version: 'v1', resources: [null, 5, {}, 'a'] }] },
      ],
      paths: { '/apis/GROUP/v1/x': { get: { $ref: '#/nowhere', parameters: 7 } } },
      definitions: { 'io.k8s.api.core.v1.Pod': { $ref: '#/definitions/io.k8s.api.core.v1.Pod' } },
    },
  ],
];

/** A server that is found later than another has been asked after it. */
async function untilAllWereAsked(): Promise<void> {
  const group = `good${servers.length}.example.com`;
  await register(group, (response) => response.end(discovery(group)));
  await expect
    .poll(async () => (await get('/apis', { accept: aggregated })).text, { timeout: 20_000, interval: 100 })
    .toMatch(new RegExp(`"name":"${group}".{0,300}"resource":"things"`));
}

test('garbage in documents', async () => {
  for (const [at, [form, document]] of garbage.entries()) {
    const group = `garbage${at}.example.com`;
    await register(group, (response, { url }) => {
      response.writeHead(form === plain && url === '/apis' ? 404 : 200, { 'content-type': form });
      response.end(JSON.stringify(document).replaceAll('GROUP', group));
    });
  }
  await register('html.example.com', (response) => response.end('<html>'));
  await register('broken.example.com', (response) => response.end('{"kind":'));
  await untilAllWereAsked();

  await everythingElseIsServed();
}, 30_000);

test('answers without end are left, and what hangs in the middle, too', async () => {
  const before = process.memoryUsage().rss;
  await register('endless.example.com', (response) => endless(response), 'True', isDocument);
  for (const at of [1, 2])
    await register(`half${at}.example.com`, (response) => void response.write('{'), 'True', isDocument);
  await untilAllWereAsked();

  await everythingElseIsServed();
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
}, 30_000);

test('a server that never answers is not available, and others are', async () => {
  await register('silent.example.com', () => undefined, 'False');

  expect(await get('/apis/silent.example.com/v1/things')).toMatchObject({ status: 503 });
  await everythingElseIsServed();
}, 20_000);

test('announcements without end are an error', async () => {
  const flood = (response: ServerResponse) => {
    while (response.socket!.write('HTTP/1.1 103 Early Hints\r\n\r\n'));
    if (!response.socket!.destroyed) response.socket!.once('drain', () => flood(response));
  };
  const isThing = ({ url = '' }: IncomingMessage) => url.endsWith('/things');
  await register('hints.example.com', flood, 'True', isThing);

  const answer = await get('/apis/hints.example.com/v1/things');

  expect(answer).toMatchObject({ status: 503, text: expect.stringContaining('too many 1xx') });
});

test('headers of 100 KiB are passed on, those without end are not', async () => {
  const isThing = ({ url = '' }: IncomingMessage) => url.includes('/things/');
  await register(
    'heads.example.com',
    (response, { url = '' }) => {
      if (url.endsWith('/large')) return response.setHeader('x-large', 'x'.repeat(100 * 1024)).end('large');
      const { socket } = response;
      const flood = () => {
        while (socket!.write(`x-${'x'.repeat(1000)}: ${'x'.repeat(1000)}\r\n`));
        if (!socket!.destroyed) socket!.once('drain', flood);
      };
      socket!.write('HTTP/1.1 200 OK\r\n');
      return flood();
    },
    'True',
    isThing,
  );

  const path = '/apis/heads.example.com/v1/namespaces/default/things';
  expect(await get(`${path}/large`)).toMatchObject({ status: 200, text: 'large' });
  expect(await get(`${path}/endless`)).toMatchObject({ status: 503 });
});
