import { request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import type { Transport, TransportRequest } from '@coxswain/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveUi, type UiServer } from './ui-server.ts';

let server: UiServer;
let asked: TransportRequest[];
let closed = 0;
let answer: { status: number; headers: Record<string, string>; chunks: readonly string[] };

beforeEach(async () => {
  asked = [];
  answer = { status: 200, headers: { 'content-type': 'application/json' }, chunks: ['{}'] };
  server = await serveUi({ transport: cluster, port: 0, facts: { cluster: 'test', namespace: 'default' } });
});
afterEach(() => server.close());

const cluster: Transport = {
  structured: false,
  address: 'https://cluster.test',
  async send(request) {
    asked.push(request);
    return {
      ...answer,
      bytes: () => Promise.reject(new Error('answers are streamed')),
      async *stream() {
        for (const chunk of answer.chunks) yield new TextEncoder().encode(chunk);
      },
    };
  },
  close: async () => {
    closed++;
  },
};

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = requestHttp(new URL(path, server.address), { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: 101, headers: response.headers, text: '' });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function signIn(): Promise<{ readonly cookie: string }> {
  const { headers } = await ask(server.link());
  return { cookie: headers['set-cookie']![0]!.split(';')[0]! };
}

const own = { 'x-coxswain-ui': '1' };
const upgrading = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};
const paths = ['/', '/explore/-/v1/pods', '/icon.svg', '/assets/x.js', '/facts.json', '/cluster/api/v1/pods'];

test('nothing is served without a session, and the response names no cluster', async () => {
  for (const path of [...paths, '/?token=wrong']) {
    const { status, text } = await ask(path, own);
    expect([path, status]).toEqual([path, 401]);
    expect(text).toContain('coxswain ui');
  }
  for (const path of ['/streams', '/cluster/api/v1/namespaces/a/pods/b/exec'])
    expect((await ask(path, { ...upgrading, origin: server.address })).status).toBe(401);
  expect(asked).toEqual([]);
});

test('a token opens the page once, in a session that scripts and other sites cannot use', async () => {
  const link = server.link();
  const first = await ask(link);
  expect(first.status).toBe(200);
  expect(first.text).toContain('<div id="page">');
  expect(first.headers['set-cookie']![0]).toMatch(
    /^coxswain-ui-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  expect((await ask(link)).status).toBe(401);
  expect((await ask('/facts.json', await signIn())).text).toContain('"cluster":"test"');
});

test('a visitor without a session reads how to get one, in a page that loads nothing', async () => {
  const { status, text, headers } = await ask('/explore/-/v1/pods', { 'sec-fetch-dest': 'document' });
  expect([status, headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^;]+';/);
  expect(text).toContain('<code>coxswain ui</code>');
});

test('a browser that looks ahead does not use the token up', async () => {
  const link = server.link();
  expect((await ask(link, { 'sec-purpose': 'prefetch;prerender' })).status).toBe(401);
  expect((await ask(link)).status).toBe(200);
});

test('a name of another site that leads here is refused, with the cookie or a token too', async () => {
  const session = await signIn();
  for (const path of [...paths, server.link().slice(server.address.length)])
    expect((await ask(path, { ...own, ...session, host: 'rebound.example' })).status).toBe(421);
  expect(asked).toEqual([]);
});

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
  ['an origin that is hidden', { origin: 'null' }],
  ['another site that sends no origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' }],
  ['another port that sends no origin', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' }],
])('a request of %s is refused', async (_who, headers: Record<string, string>) => {
  const session = await signIn();
  for (const path of paths) expect((await ask(path, { ...own, ...session, ...headers })).status).toBe(403);
  expect((await ask('/streams', { ...upgrading, ...session, ...headers })).status).toBe(403);
  expect(asked).toEqual([]);
});

test('a WebSocket without an origin is refused', async () => {
  expect((await ask('/streams', { ...upgrading, ...(await signIn()) })).status).toBe(403);
});

test('a link on another site leads to the page, and to nothing of the cluster', async () => {
  const visit = { ...(await signIn()), ...own, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
  expect((await ask('/', visit)).status).toBe(200);
  expect((await ask('/cluster/api/v1/pods', visit)).status).toBe(403);
});

test('forms and links cannot reach the cluster, whose answers have no rights of the page', async () => {
  const session = await signIn();
  expect((await ask('/cluster/api/v1/pods', session)).status).toBe(400);
  answer = {
    status: 200,
    headers: { 'content-type': 'text/html', 'set-cookie': 'a=b', 'content-security-policy': 'script-src *' },
    chunks: ['<script>alert(1)</script>'],
  };
  const { headers } = await ask('/cluster/api/v1/x/proxy/', { ...own, ...session });
  expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['set-cookie']).toBeUndefined();
});

test('every page forbids scripts of elsewhere and in text', async () => {
  const session = await signIn();
  for (const path of ['/', '/icon.svg', '/facts.json', '/assets/missing.js']) {
    const policy = String((await ask(path, session)).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(policy).toContain("frame-ancestors 'none'");
  }
});

test('a request goes to the cluster without anything that says who the browser is', async () => {
  const session = await signIn();
  const headers = {
    ...own,
    ...session,
    origin: server.address,
    authorization: 'Bearer of another',
    'impersonate-user': 'root',
    accept: 'application/json',
    'content-type': 'application/json',
  };
  answer = { ...answer, status: 201, chunks: ['{"a":', '1}'] };
  const created = await ask('/cluster/api/v1/namespaces?dryRun=All', headers, 'POST', '{"kind":"Namespace"}');
  expect([created.status, created.text]).toEqual([201, '{"a":1}']);
  expect(asked).toMatchObject([{ method: 'POST', path: '/api/v1/namespaces?dryRun=All' }]);
  expect(asked[0]!.headers).toEqual({
    'user-agent': 'coxswain-ui',
    accept: 'application/json',
    'content-type': 'application/json',
  });
  expect(new TextDecoder().decode(asked[0]!.body as Uint8Array)).toBe('{"kind":"Namespace"}');
});

test('a body that is too large is refused before it is sent on', async () => {
  const large = 'x'.repeat(8 * 1024 * 1024 + 1);
  const session = await signIn();
  expect((await ask('/cluster/api/v1/pods', { ...own, ...session }, 'POST', large)).status).toBe(413);
  expect(asked).toEqual([]);
});

test('pages are only read', async () => {
  expect((await ask('/', { ...own, ...(await signIn()) }, 'POST')).status).toBe(405);
});

test('streams share a WebSocket, each known by its number, and end when the page closes them', async () => {
  const chunks: string[] = ['{"type":"ADDED"}\n', '{"type":"DELETED"}\n'];
  answer = { ...answer, chunks };
  const socket = await openSocket();
  const heard = hear(socket, (notices) => notices.filter((notice) => 'ended' in notice).length === 2);
  socket.send(JSON.stringify({ open: 7, path: '/api/v1/pods?watch=true', accept: 'application/json' }));
  socket.send(JSON.stringify({ open: 8, path: '/api/v1/nodes?watch=true', accept: 'application/json' }));
  const { notices, bytes } = await heard;
  expect(notices).toContainEqual({ opened: 7, status: 200, contentType: 'application/json' });
  expect(notices).toContainEqual({ ended: 8 });
  expect(bytes.get(7)).toBe(chunks.join(''));
  expect(bytes.get(8)).toBe(chunks.join(''));
  expect(asked.map(({ path }) => path)).toEqual(['/api/v1/pods?watch=true', '/api/v1/nodes?watch=true']);
  socket.close();
});

test('a stream that fails says why, and what no page of ours sends ends the connection', async () => {
  const { send } = cluster;
  cluster.send = () => Promise.reject(new Error('connection refused'));
  try {
    const socket = await openSocket();
    const heard = hear(socket, (notices) => notices.length === 1);
    socket.send(JSON.stringify({ open: 1, path: '/api/v1/pods?watch=true', accept: '*/*' }));
    expect((await heard).notices).toEqual([{ ended: 1, failure: 'connection refused' }]);
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
    socket.send(JSON.stringify({ open: 2, path: 'http://elsewhere.example/', accept: '*/*' }));
    await closed;
  } finally {
    cluster.send = send;
  }
});

async function openSocket(): Promise<WebSocket> {
  const headers = { ...(await signIn()), origin: server.address };
  const socket = new WebSocket(`${server.address.replace('http', 'ws')}/streams`, { headers } as never);
  socket.binaryType = 'arraybuffer';
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('refused')));
  });
  return socket;
}

type Notice = Readonly<Record<string, unknown>>;

function hear(socket: WebSocket, isAll: (notices: readonly Notice[]) => boolean) {
  const notices: Notice[] = [];
  const bytes = new Map<number, string>();
  return new Promise<{ notices: readonly Notice[]; bytes: ReadonlyMap<number, string> }>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') notices.push(JSON.parse(data) as Notice);
      else {
        const id = new DataView(data as ArrayBuffer).getUint32(0);
        bytes.set(id, (bytes.get(id) ?? '') + Buffer.from(data as ArrayBuffer, 4).toString());
      }
      if (isAll(notices)) resolve({ notices, bytes });
    });
  });
}

test('another port is taken where the usual one is, and the connection to the cluster ends with the page', async () => {
  const facts = { cluster: 'test', namespace: 'default' };
  const port = Number(new URL(server.address).port);
  closed = 0;
  await expect(serveUi({ transport: cluster, port, facts })).rejects.toThrow('EADDRINUSE');
  expect(closed).toBe(1);
  const near = await serveUi({ transport: cluster, port, orAnother: true, facts });
  expect(near.address).not.toBe(server.address);
  await near.close();
  expect(closed).toBe(2);
});
