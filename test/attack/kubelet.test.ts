/** The kubelet's port: who has no credentials reaches nothing, and streams that nobody reads cost a bounded amount. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, type Transport, type TransportRequest } from '@coxswain/client';
import { defaultSettings } from '@coxswain/kubelet/config/kubelet-configuration.ts';
import { serveKubelet, type KubeletServer } from '@coxswain/kubelet/server/kubelet-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const certDirectory = mkdtempSync(path.join(tmpdir(), 'kubelet-attack-'));
const chunkBytes = 256 * 1024;
/** What the kubelet was asked to do, by whoever. */
const reached: string[] = [];
const logs = { open: 0, bytes: 0 };
let server: KubeletServer;
const sessions: ClientHttp2Session[] = [];

/** An API server that knows one token. */
const reviews: Transport = {
  structured: true,
  address: 'in-process:',
  async send({ body }: TransportRequest) {
    const { spec } = (body as { readonly object: { readonly spec: { readonly token: string } } }).object;
    const isKnown = spec.token === 'known';
    const object = { status: isKnown ? { authenticated: true, user: { username: 'reader' } } : {} };
    return { status: 201, headers: {}, object, bytes: async () => new Uint8Array(), async *stream() {} };
  },
  async close() {},
};

async function* endlessLog(): AsyncGenerator<Uint8Array> {
  logs.open++;
  try {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      logs.bytes += chunkBytes;
      yield Buffer.alloc(chunkBytes, 'x');
    }
  } finally {
    logs.open--;
  }
}

const pod = {
  metadata: { namespace: 'default', name: 'web' },
  spec: { containers: [{ name: 'main' }] },
};
const kubelet = {
  pods() {
    reached.push('pods');
    return [pod];
  },
  logs: async () => endlessLog(),
};

beforeAll(async () => {
  const { authentication, authorization } = defaultSettings;
  server = await serveKubelet({
    settings: {
      ...defaultSettings,
      address: '127.0.0.1',
      port: 0,
      authentication: { ...authentication, anonymous: { enabled: false } },
      authorization: { ...authorization, mode: 'AlwaysAllow' },
    },
    client: createClient({ transport: reviews, userAgent: 'kubelet' }),
    certDirectory,
    nodeName: 'node-1',
    kubelet: kubelet as never,
    runtime: {} as never,
    usage: {} as never,
    log: () => undefined,
  });
});

afterAll(async () => {
  for (const session of sessions) session.destroy();
  await server.close();
  rmSync(certDirectory, { recursive: true });
});

function session(): ClientHttp2Session {
  const opened = connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
  opened.on('error', () => undefined);
  sessions.push(opened);
  return opened;
}

async function ask(over: ClientHttp2Session, target: string, token: string, method = 'GET') {
  const stream = over.request({
    ':method': method,
    ':path': target,
    ...(token !== '' && { authorization: `Bearer ${token}` }),
  });
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const status = await new Promise<number>((resolve, reject) => {
    stream.on('response', (headers) => resolve(Number(headers[':status'])));
    stream.on('error', reject);
  });
  await new Promise((resolve) => stream.on('close', resolve));
  return { status, text };
}

const places = ['/pods', '/exec/default/web/main?command=sh&output=1', '/logs/', '/metrics', '/nowhere'];

test('a flood without credentials, or with wrong ones, reaches neither pods nor the runtime', async () => {
  reached.length = 0;
  const over = Array.from({ length: 4 }, session);
  const asked = Array.from({ length: 300 }, (_, at) =>
    ask(
      over[at % over.length]!,
      places[at % places.length]!,
      at % 3 === 0 ? '' : `wrong-${at}`,
      at % 2 ? 'POST' : 'GET',
    ),
  );
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([401]));
  expect(reached).toEqual([]);
});

test.each([
  ['/exec/default/%2577eb/main?command=sh&output=1', 404, 'pod does not exist'],
  ['/exec/default/%25zz/main?command=sh&output=1', 404, 'pod does not exist'],
  ['/exec/default/%ff/main?command=sh&output=1', 404, 'pod does not exist'],
  ['/containerLogs/default/web/%2e%2e', 404, 'container ".." not found in pod "web"'],
  ['/logs/%2e%2e/%2e%2e/etc/shadow', 404, '404 page not found'],
  ['/logs/%252e%252e/etc/shadow', 404, '404 page not found'],
  ['/constructor/default/web', 404, '404 page not found'],
  ['/__proto__', 404, '404 page not found'],
  ['/hasOwnProperty/default/web/main', 404, '404 page not found'],
])('%s leads nowhere', async (target, status, text) => {
  const answer = await ask(session(), target, 'known');
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(text);
});

/** What each connection and its buffers may hold of a log that nobody reads. */
const heldBytesMax = 4 * 1024 * 1024;

test('logs that nobody reads are read no further, and closed with their connections', async () => {
  const open = 20;
  const streams: ClientHttp2Stream[] = [];
  const begun = Array.from({ length: open }, () => {
    const stream = session().request({
      ':path': '/containerLogs/default/web/main?follow=true',
      authorization: 'Bearer known',
    });
    stream.on('error', () => undefined);
    streams.push(stream);
    return new Promise((resolve) => stream.once('response', resolve));
  });
  await Promise.all(begun);
  let before = -1;
  // Until nothing more is read from the logs.
  await expect
    .poll(
      () => {
        const isQuiet = logs.bytes === before;
        before = logs.bytes;
        return isQuiet;
      },
      { timeout: 20_000 },
    )
    .toBe(true);
  expect(logs.open).toBe(open);
  expect(logs.bytes).toBeLessThan(open * heldBytesMax);
  expect((await ask(session(), '/pods', 'known')).status).toBe(200);
  for (const each of sessions) each.destroy();
  await expect.poll(() => logs.open).toBe(0);
});
