import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request as httpsRequest } from 'node:https';
import { gunzipSync, gzipSync } from 'node:zlib';
import { StatusError } from '@coxswain/apimachinery';
import { ApiRequest } from '@coxswain/apiserver';
import { serveSecurely, type SecureServer } from '@coxswain/apiserver/http/secure-serving.ts';
import { selfSigned } from '@coxswain/apiserver/testing/self-signed.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { splitSchemeNamePort, type ForwardTarget } from './forwarder.ts';
import { networkForwarder } from './network-forwarder.ts';

const page = '<p>Grüße</p><a href="/there">there</a>';
let backend: Server;
let front: SecureServer;
let target: ForwardTarget;
const seen: IncomingMessage[] = [];

beforeAll(async () => {
  backend = createServer((request, response) => {
    seen.push(request);
    if (request.url === '/moved') response.writeHead(302, { location: '/there' }).end();
    else if (request.url === '/page') response.setHeader('content-type', 'text/html').end(page);
    else if (request.url === '/small-page')
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' })
        .end(gzipSync(page));
    else request.pipe(response.setHeader('x-from', 'backend'));
  });
  backend.on('upgrade', (request, socket) => {
    seen.push(request);
    if (request.url === '/refused')
      return socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno');
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\nhello ',
    );
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  const port = String((backend.address() as AddressInfo).port);
  target = { scheme: 'http', host: '127.0.0.1', port, path: '/', pathPrefix: '/proxy' };
  front = await serveSecurely({ ...(await selfSigned()), host: '127.0.0.1', port: 0, serve: forward });
});

afterAll(async () => {
  await front.close(0);
  backend.closeAllConnections();
  backend.close();
});

const forwarder = networkForwarder({});

async function forward(incoming: ConstructorParameters<typeof ApiRequest>[0]) {
  const staysHttp = incoming.path.startsWith('/plain');
  const wanted = { ...target, staysHttp, path: incoming.path.replace(/^\/closed|^\/bare/, '') };
  try {
    return await forwarder.forward(
      new ApiRequest(incoming),
      incoming.path.startsWith('/closed') ? { ...wanted, port: '1' } : wanted,
    );
  } catch (error) {
    const { code, message } = error as StatusError;
    return { status: code, headers: {}, body: { kind: 'bytes', bytes: Buffer.from(message) } } as const;
  }
}

function ask(path: string, headers: Record<string, string> = {}, body?: string) {
  return new Promise<{ status: number; headers: object; text: string }>((resolve, reject) => {
    const request = httpsRequest({
      port: front.address.port,
      host: '127.0.0.1',
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers,
      rejectUnauthorized: false,
    });
    request.on('response', (response) => {
      const isSmall = response.headers['content-encoding'] === 'gzip';
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = (isSmall ? gunzipSync(bytes) : bytes).toString();
        resolve({ status: response.statusCode!, headers: response.headers, text });
      });
    });
    request.on('upgrade', (response, socket, head) => {
      let text = head.toString();
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.endsWith('.')) socket.end();
      });
      socket.on('close', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      socket.write('and back.');
    });
    request.on('error', reject);
    request.end(body);
  });
}

test('a request is carried on with its body, without credentials, and the answer comes back', async () => {
  const answer = await ask('/echo?a=1', { authorization: 'Bearer secret', 'x-own': 'kept' }, 'body');

  expect(answer).toMatchObject({ status: 200, headers: { 'x-from': 'backend' }, text: 'body' });
  expect(seen.at(-1)).toMatchObject({
    url: '/echo?a=1',
    headers: { 'x-own': 'kept', 'x-forwarded-for': '127.0.0.1' },
  });
  expect(seen.at(-1)!.headers.authorization).toBeUndefined();
});

test('a response that begins before the end of the request continues', async () => {
  const body = 'x'.repeat(4_000_000);
  const { status, text } = await ask('/echo', {}, body);

  expect(status).toBe(200);
  expect(text.length).toBe(body.length);
});

test('a connection stays usable after a response without reading the body', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = front.address;
      const options = { agent, port, host: '127.0.0.1', path: '/moved', method: 'POST' };
      const request = httpsRequest({ ...options, rejectUnauthorized: false }, (response) =>
        response.resume().once('end', () => resolve(response.statusCode)),
      );
      request.once('error', reject).end(body);
    });
  expect(await post('x'.repeat(200_000))).toBe(302);
  expect(await post('short')).toBe(302);
  agent.destroy();
});

test('a redirect leads back through the proxy', async () => {
  expect(await ask('/moved')).toMatchObject({ status: 302, headers: { location: '/proxy/there' } });
});

test.each(['/page', '/small-page'])('links of %s lead back through the proxy', async (path) => {
  expect(await ask(path)).toMatchObject({
    status: 200,
    text: '<p>Grüße</p><a href="/proxy/there">there</a>',
  });
});

test('a request for only the target is for its root', async () => {
  expect(await ask('/bare?method=DELETE', {}, '')).toMatchObject({ status: 200 });
  expect(seen.at(-1)!.url).toBe('/?method=DELETE');
});

test("a closed port is reported with upstream's message", async () => {
  expect(await ask('/closed/a')).toMatchObject({
    status: 503,
    text: 'error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused',
  });
  const upgrade = await ask('/closed/a', { connection: 'Upgrade', upgrade: 'SPDY/3.1' });
  expect(upgrade).toMatchObject({
    status: 500,
    text: 'error dialing backend: dial tcp 127.0.0.1:1: connect: connection refused',
  });
});

test('an upgraded connection is joined with that of the target', async () => {
  const answer = await ask('/exec', { connection: 'Upgrade', upgrade: 'SPDY/3.1' });

  expect(answer).toMatchObject({ status: 101, headers: { upgrade: 'SPDY/3.1' }, text: 'hello and back.' });
});

test('an upgrade that this server answers itself is not forwarded', async () => {
  const answer = await ask('/plain', { connection: 'Upgrade', upgrade: 'websocket' });

  expect(answer).toMatchObject({ status: 200, headers: { 'x-from': 'backend' } });
  expect(seen.at(-1)!.headers.upgrade).toBeUndefined();
});

test('the refusal of an upgrade is the answer', async () => {
  const answer = await ask('/refused', { connection: 'Upgrade', upgrade: 'SPDY/3.1' });

  expect(answer).toMatchObject({ status: 403, text: 'no' });
});

test('an unknown protocol is ignored', async () => {
  expect(await ask('/echo', { connection: 'Upgrade', upgrade: 'h2c' })).toMatchObject({ status: 200 });
});

test.each([
  ['a', { scheme: '', name: 'a', port: '' }],
  ['a:80', { scheme: '', name: 'a', port: '80' }],
  ['https:a:', { scheme: 'https', name: 'a', port: '' }],
  ['ftp:a:1', undefined],
  ['a:b:c:d', undefined],
  [':80', undefined],
])('%s is split', (id, expected) => {
  expect(splitSchemeNamePort(id)).toEqual(expected);
});
