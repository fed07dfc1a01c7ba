/** What proves who the client is, and whom it trusts, is renewed while it works. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { ManualClock, readYaml } from '@coxswain/apimachinery';
import type { KubeClient, Kubeconfig, KubeconfigCluster, KubeconfigUser } from '@coxswain/client';
import { connect } from '@coxswain/client/node.ts';
import { createCluster, type TestCluster } from 'coxswain/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CertificateAuthority } from '../attack/certificate-authority.ts';
import { startFaultProxy, type FaultProxy, type FaultProxyOptions } from './fault-proxy.ts';

let cluster: TestCluster;
let upstream: KubeClient;
let authority: CertificateAuthority;
let directory: string;
const opened: (() => Promise<void>)[] = [];
/** Longer than files are believed. */
const longEnoughMs = 61_000;

beforeAll(async () => {
  cluster = await createCluster({ clock: 'system', controllers: false, nodes: 0, scheduler: false });
  upstream = connect(readYaml(await cluster.kubeconfig()) as Kubeconfig);
  authority = await CertificateAuthority.create('renewal');
  directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-renewal-'));
}, 60_000);
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await upstream.close();
  await cluster.stop();
});

test('a token file is read again after a minute, and at once when the server refuses the token', async () => {
  const heard: string[] = [];
  let refused = '';
  const { proxy } = await serve({
    judge(request) {
      const authorization = request.headers.authorization ?? '';
      heard.push(authorization);
      return authorization === refused ? 401 : undefined;
    },
  });
  const tokenFile = fileWith('token', 'first\n');
  const { client, clock } = clientOf(proxy, { tokenFile });
  await ask(client);
  writeFileSync(tokenFile, 'second\n');
  await ask(client);
  await clock.advance(longEnoughMs);
  await ask(client);
  refused = 'Bearer second';
  writeFileSync(tokenFile, 'third\n');
  await ask(client);

  expect(heard).toEqual(['first', 'first', 'second', 'second', 'third'].map((token) => `Bearer ${token}`));
}, 60_000);

test('the token that was read last is good while its file is being replaced', async () => {
  const { proxy } = await serve({});
  const tokenFile = fileWith('replaced-token', 'first');
  const { client, clock } = clientOf(proxy, { tokenFile });
  await ask(client);
  rmSync(tokenFile);
  await clock.advance(longEnoughMs);

  await expect(ask(client)).resolves.toBeUndefined();
}, 60_000);

test('a program is asked again for a token when the server refuses the one it gave', async () => {
  const heard: string[] = [];
  const { proxy } = await serve({
    judge(request) {
      heard.push(request.headers.authorization ?? '');
      return request.headers.authorization === 'Bearer old' ? 401 : undefined;
    },
  });
  const tokens = fileWith('tokens', 'old');
  const script = `const token = require('fs').readFileSync(${JSON.stringify(tokens)}, 'utf8');
console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } }));
require('fs').writeFileSync(${JSON.stringify(tokens)}, 'new');`;
  const { client } = clientOf(proxy, {
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', script],
      interactiveMode: 'Never',
    },
  });
  await ask(client);
  await ask(client);

  expect(heard).toEqual(['Bearer old', 'Bearer new', 'Bearer new']);
}, 60_000);

for (const http2 of [true, false]) {
  test(`a renewed client certificate is shown on a new connection, and a watch goes on over the old one (${http2 ? 'HTTP/2' : 'HTTP/1.1'})`, async () => {
    const shown: string[] = [];
    const { proxy } = await serve({ http2, onClientCertificate: (name) => shown.push(name) });
    const first = await authority.issue({ name: 'CN=first' });
    const second = await authority.issue({ name: 'CN=second' });
    const certificate = fileWith('client.crt', first.cert);
    const key = fileWith('client.key', first.key);
    const { client, clock } = clientOf(proxy, { 'client-certificate': certificate, 'client-key': key });
    await ask(client);
    const watching = client
      .resource('v1', 'configmaps')
      .namespace('default')
      .watch({ signal: AbortSignal.timeout(30_000) });
    const event = watching.next();

    writeFileSync(certificate, second.cert);
    await clock.advance(longEnoughMs);
    // The certificate without its key is no pair yet.
    await ask(client);
    expect(shown.at(-1)).toBe('first');
    writeFileSync(key, second.key);
    await clock.advance(longEnoughMs);
    await ask(client);
    expect(shown.at(-1)).toBe('second');

    await cluster.client
      .resource('v1', 'configmaps')
      .namespace('default')
      .create({ metadata: { name: `seen-${http2}` } });
    expect((await event).value?.type).toBe('ADDED');
    await watching.return(undefined);
  }, 60_000);
}

test('a cluster whose authority is replaced is trusted again when the file says so', async () => {
  const other = await CertificateAuthority.create('the next one');
  const { proxy } = await serve({});
  const file = fileWith('ca.crt', authority.pem);
  const { client } = clientOf(proxy, {}, { 'certificate-authority': file });
  await ask(client);

  proxy.present(await other.issue({ name: 'CN=server.test', usage: 'server' }));
  await expect(ask(client)).rejects.toThrow(/certificate/);
  writeFileSync(file, other.pem);
  await expect(ask(client)).resolves.toBeUndefined();
}, 60_000);

test('a certificate for another name than the one that is asked for is refused', async () => {
  const { proxy } = await serve({});
  const { client } = clientOf(proxy, {}, { 'tls-server-name': 'else.test' });

  await expect(ask(client)).rejects.toThrow(/else\.test/);
}, 60_000);

for (const http2 of [true, false]) {
  test(`an HTTP proxy is passed (${http2 ? 'HTTP/2' : 'HTTP/1.1'})`, async () => {
    const { proxy } = await serve({ http2 });
    const asked: string[] = [];
    const httpProxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      const far = connectTcp(Number(new URL(proxy.url).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(far).pipe(socket);
      });
      far.on('error', () => socket.destroy());
      socket.on('error', () => far.destroy());
    });
    await new Promise<void>((resolve) => void httpProxy.listen(0, '127.0.0.1', resolve));
    opened.push(async () => void httpProxy.close());
    const { port } = httpProxy.address() as AddressInfo;
    const { client } = clientOf(proxy, {}, { 'proxy-url': `http://127.0.0.1:${port}` });
    await ask(client);

    expect(new Set(asked)).toEqual(new Set([new URL(proxy.url).host]));
    expect(proxy.passed).toBe(1);
  }, 60_000);
}

async function serve(options: Partial<FaultProxyOptions>): Promise<{ readonly proxy: FaultProxy }> {
  const identity = await authority.issue({ name: 'CN=server.test', usage: 'server' });
  const proxy = await startFaultProxy({ to: upstream.rest.transport, identity, http2: true, ...options });
  opened.push(() => proxy.close());
  return { proxy };
}

function clientOf(proxy: FaultProxy, user: KubeconfigUser, info: KubeconfigCluster = {}) {
  const clock = new ManualClock();
  const data = info['certificate-authority'] ? undefined : Buffer.from(authority.pem).toString('base64');
  const cluster: KubeconfigCluster = {
    server: proxy.url,
    'tls-server-name': 'server.test',
    ...(data === undefined ? {} : { 'certificate-authority-data': data }),
    ...info,
  };
  const client = connect(
    {
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
      clusters: [{ name: 'x', cluster }],
      users: [{ name: 'x', user }],
    },
    { clock },
  );
  opened.push(() => client.close());
  return { client, clock };
}

/** The client's time passes meanwhile: a connection that broke is tried again after a second of it. */
async function ask(client: KubeClient): Promise<void> {
  const clock = client.rest.clock as ManualClock;
  let isOver = false;
  const asking = client
    .resource('v1', 'namespaces')
    .get('default')
    .finally(() => (isOver = true));
  asking.catch(() => undefined);
  for (let turn = 0; !isOver; turn++) {
    await clock.advance(turn);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await asking;
}

function fileWith(name: string, text: string): string {
  const file = path.join(directory, name);
  writeFileSync(file, text);
  return file;
}
