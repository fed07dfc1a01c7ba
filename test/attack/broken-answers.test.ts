/** Answers from elsewhere that break off in the middle: whoever asked is told so, and never takes a part for the whole. */
import { connect as connectHttp2 } from 'node:http2';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedServer, type AttackedServer } from './attacked-server.ts';
import { discovery, extensionServer, type ExtensionServer } from './extension-server.ts';

let attacked: AttackedServer;
let extension: ExtensionServer;

const group = 'broken.example.com';
const part = 'x'.repeat(70_000);
const page = gzipSync(Buffer.from(`<a href="/a">${part}`));

/** Each breaks off behind what it has sent. */
const breakOffs: Readonly<Record<string, (response: ServerResponse) => void>> = {
  chunks: (response) => void response.write(part),
  'fewer bytes than declared': (response) =>
    void response.writeHead(200, { 'content-length': part.length + 1 }).write(part),
  'a page whose links are rewritten': (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).write(part),
  'a compressed page': (response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      .write(page.subarray(0, -9)),
};
/** This one ends as it should, but what it has compressed does not. */
const cutPage = 'a compressed page that is cut';

beforeAll(async () => {
  attacked = await attackedServer();
  extension = await extensionServer(attacked, (request, response) => {
    const [, , , , kind = ''] = decodeURIComponent(request.url!.split('?')[0]!).split('/');
    const isLog = request.url!.startsWith('/containerLogs/');
    const breakOff = isLog ? breakOffs['chunks'] : breakOffs[kind];
    if (kind === cutPage) {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      return response.end(page.subarray(0, -9));
    }
    if (kind === 'hangs') return response.write(part);
    if (breakOff === undefined) return response.end(discovery(group));
    breakOff(response);
    // Once it has left.
    response.write('', () => setImmediate(() => request.socket.destroy()));
    return undefined;
  });
  await extension.register(group);
});
afterAll(async () => {
  extension.stop();
  await attacked.stop();
});

const pathOf = (kind: string) => `/apis/${group}/v1/${encodeURIComponent(kind)}`;

function overHttp2(path: string): Promise<string> {
  const session = connectHttp2(`https://127.0.0.1:${attacked.port}`, { rejectUnauthorized: false });
  return new Promise<string>((resolve, reject) => {
    const stream = session.request({ ':path': path, authorization: 'Bearer admin-token' });
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    stream.on('error', reject).on('end', () => resolve(text));
  }).finally(() => session.close());
}

const all = [...Object.keys(breakOffs), cutPage];

describe.each(all)('%s', (kind) => {
  test('over HTTP/1.1', async () => {
    await expect(attacked.send({ path: pathOf(kind), as: 'admin' })).rejects.toThrow(/aborted|ECONNRESET/);
  });

  test('over HTTP/2', async () => {
    await expect(overHttp2(pathOf(kind))).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
  });
});

test('the log of a container, which a kubelet breaks off', async () => {
  const post = (path: string, object: object) =>
    attacked.send({ path, method: 'POST', as: 'admin', body: JSON.stringify(object) });
  const { status } = await post('/api/v1/nodes', {
    metadata: { name: 'far' },
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: extension.port } },
    },
  });
  expect(status).toBe(201);
  await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const made = await post('/api/v1/namespaces/default/pods', {
    metadata: { name: 'web' },
    spec: { nodeName: 'far', containers: [{ name: 'web', image: 'web' }] },
  });
  expect(made.status, made.text).toBe(201);

  const log = attacked.send({ path: '/api/v1/namespaces/default/pods/web/log', as: 'admin' });

  await expect(log).rejects.toThrow(/aborted|ECONNRESET/);
});

test('a client that has said its last gets no part for the whole', async () => {
  const socket = await attacked.connect('http/1.1');
  socket.allowHalfOpen = true;
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.once('data', () => socket.end());
  socket.write(`GET ${pathOf('hangs')} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer admin-token\r\n\r\n`);
  await new Promise((resolve) => socket.once('close', resolve));

  expect(text).toContain('200 OK');
  expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
});

test('a connection that is used again may be silent for as long as it likes', async () => {
  const headers = { authorization: 'Bearer admin-token' };
  await attacked.send({ path: pathOf('things'), headers });
  const started: ClientRequest[] = [];
  const note = (message: unknown) => started.push((message as { readonly request: ClientRequest }).request);
  subscribe('http.client.request.start', note);
  const origin = `https://127.0.0.1:${attacked.port}`;
  const asked = httpsRequest(`${origin}${pathOf('hangs')}`, {
    rejectUnauthorized: false,
    agent: false,
    headers,
  }).end();
  await new Promise((resolve) => asked.once('response', resolve));
  unsubscribe('http.client.request.start', note);
  const passedOn = started.filter((request) => request !== asked && request.path === asked.path);

  expect(passedOn.map(({ socket }) => socket?.timeout)).toEqual([0]);
  asked.destroy();
});
