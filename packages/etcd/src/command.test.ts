import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { runEtcd } from './command.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'coxswain-etcd-command-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Runs the program; `ready` resolves when it serves or has exited. */
function start(...args: string[]) {
  return startIn({}, ...args);
}

function startIn(env: Readonly<Record<string, string>>, ...args: string[]) {
  const stop = new AbortController();
  const written = { out: '', err: '' };
  let onReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => (onReady = resolve));
  const io = {
    out: { write: (more: string) => void (written.out += more) },
    err: {
      write(more: string) {
        written.err += more;
        if (more.includes('ready to serve')) onReady();
      },
    },
    env,
    signal: stop.signal,
  };
  const status = runEtcd(args, io).finally(onReady);
  return { status, written, ready, stop: () => stop.abort() };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}

const urlsOf = (port: number): string[] => [
  `--listen-client-urls=http://127.0.0.1:${port}`,
  `--advertise-client-urls=http://127.0.0.1:${port}`,
];

test('serves until it is stopped, and keeps what was written', async () => {
  const port = await freePort();
  const args = ['--data-dir', directory, ...urlsOf(port), '--unsafe-no-fsync', '--initial-cluster-state=new'];
  for (const expected of [undefined, '1']) {
    const etcd = start(...args);
    await etcd.ready;
    const storage = new EtcdStorage({ endpoints: [`http://127.0.0.1:${port}`] });
    const entry = await storage.get('/a');
    expect(entry && Buffer.from(entry.value).toString()).toBe(expected);
    await storage.update('/a', () => ({ kind: 'put', value: Buffer.from('1') }));
    await storage.close();
    etcd.stop();
    expect(await etcd.status).toBe(0);
  }
});

test('serves on a Unix socket, also when one is left of a server that was killed', async () => {
  const path = join(directory, 'etcd.sock');
  const killed = createServer();
  await new Promise<void>((resolve) => void killed.listen(join(directory, 'killed.sock'), resolve));
  renameSync(join(directory, 'killed.sock'), path);
  await new Promise<void>((resolve) => void killed.close(() => resolve()));
  const url = `unix://${path}`;
  const etcd = start('--data-dir', directory, `--listen-client-urls=${url}`, '--unsafe-no-fsync');
  await etcd.ready;
  const storage = new EtcdStorage({ endpoints: [url] });
  await storage.update('/a', () => ({ kind: 'put', value: Buffer.from('1') }));
  expect(await storage.get('/a')).toBeDefined();
  await storage.close();
  etcd.stop();
  expect(await etcd.status).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test('refuses a socket whose path is a file', async () => {
  const path = join(directory, 'notes');
  writeFileSync(path, 'mine');
  const etcd = start('--data-dir', join(directory, 'data'), `--listen-client-urls=unix://${path}`);
  expect(await etcd.status).toBe(1);
  expect(etcd.written.err).toBe(`etcd: cannot listen on ${path}: address already in use\n`);
  expect(readFileSync(path, 'utf8')).toBe('mine');
});

test('refuses flags that it does not know, in one line before the usage', async () => {
  const { status, written } = start('--nope=1');
  expect(await status).toBe(2);
  expect(written.err).toMatch(/^flag provided but not defined: -nope\nUsage:/);
});

test.each([
  [['--quota-backend-bytes=many'], 'invalid value "many" for flag -quota-backend-bytes: parse error'],
  [['--unsafe-no-fsync=perhaps'], 'invalid boolean value "perhaps" for flag -unsafe-no-fsync: parse error'],
  [['--data-dir'], 'flag needs an argument: -data-dir'],
  [['--listen-client-urls=127.0.0.1:2379'], 'URL scheme must be http, https, unix, or unixs'],
  [['--listen-client-urls=http://127.0.0.1'], 'URL address does not have the form "host:port"'],
  [['--listen-client-urls=http://127.0.0.1:0/etcd'], 'URL must not contain a path'],
  [['--listen-client-urls=https://127.0.0.1:0'], 'TLS key/cert must be provided'],
  [['--auto-compaction-mode=sometimes'], 'auto-compaction-mode sometimes'],
  [['--auto-compaction-retention=5x'], 'invalid value "5x"'],
  [['--initial-cluster=a=http://1,b=http://2'], 'has 2 members'],
  [['--feature-gates=Nope=true'], 'unrecognized feature gate: Nope'],
  [['--discovery-srv=example.com'], '--discovery-srv is not supported'],
  [['--log-level=loud'], 'unrecognized level: "loud"'],
  [
    ['--listen-client-urls=https://127.0.0.1:0', '--auto-tls', '--tls-min-version=TLS1.0'],
    'unexpected TLS version',
  ],
  [['--config-file=/nowhere.yaml'], 'the configuration file cannot be read'],
  [['stray'], "'stray' is not a valid flag"],
])('refuses %j', async (args, message) => {
  const { status, written } = start(...args);
  expect(await status).toBe(2);
  expect(written.err).toContain(message);
});

test('lists its flags', async () => {
  const { status, written } = start('--help');
  expect(await status).toBe(0);
  expect(written.out).toContain('--listen-client-urls');
});

test('an occupied port, a directory in use and one of etcd itself each get one clear line', async () => {
  const port = await freePort();
  const first = start('--data-dir', join(directory, 'a'), ...urlsOf(port));
  await first.ready;

  const samePort = start('--data-dir', join(directory, 'b'), ...urlsOf(port));
  expect(await samePort.status).toBe(1);
  expect(samePort.written.err).toBe(`etcd: cannot listen on 127.0.0.1:${port}: address already in use\n`);

  const sameDirectory = start('--data-dir', join(directory, 'a'), ...urlsOf(await freePort()));
  expect(await sameDirectory.status).toBe(1);
  expect(sameDirectory.written.err).toBe(
    `etcd: data directory ${join(directory, 'a')} is in use by process ${process.pid}, which serves http://127.0.0.1:${port}\n`,
  );

  mkdirSync(join(directory, 'c', 'member'), { recursive: true });
  const foreign = start('--data-dir', join(directory, 'c'), ...urlsOf(await freePort()));
  expect(await foreign.status).toBe(2);
  expect(foreign.written.err).toContain('belongs to etcd itself');

  first.stop();
  expect(await first.status).toBe(0);
});

/** The response of an https URL, whatever signed its certificate. */
const secureText = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { rejectUnauthorized: false }, (response) => {
      text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject);
    }).on('error', reject);
  });

test('a configuration file has the flags, sections included, and the environment counts for nothing', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const file = join(directory, 'etcd.yaml');
  writeFileSync(
    file,
    [
      `data-dir: ${join(directory, 'data')}`,
      `listen-client-urls: https://127.0.0.1:${port}`,
      `listen-metrics-urls: http://127.0.0.1:${metricsPort}`,
      'heartbeat-interval: 500',
      'watch-progress-notify-interval: 5000000000',
      'client-transport-security:',
      '  auto-tls: true',
      'peer-transport-security:',
      '  cert-file: /nowhere/peer.crt',
      '  allowed-cn: peers',
    ].join('\n'),
  );
  const etcd = startIn({ ETCD_DATA_DIR: '/nowhere' }, '--config-file', file);
  await etcd.ready;
  expect(await secureText(`https://127.0.0.1:${port}/health`)).toBe('200 {"health":"true","reason":""}');
  const plain = (path: string) => fetch(`http://127.0.0.1:${metricsPort}${path}`);
  expect(await (await plain('/metrics')).text()).toContain('etcd_server_quota_backend_bytes 2.147483648e+09');
  expect((await plain('/readyz?verbose')).status).toBe(200);
  expect((await plain('/version')).status).toBe(404);
  etcd.stop();
  expect(await etcd.status).toBe(0);
});

test('an unknown field of a configuration file is refused', async () => {
  const file = join(directory, 'etcd.yaml');
  writeFileSync(file, 'nope: 1\n');
  const { status, written } = start('--config-file', file);
  expect(await status).toBe(2);
  expect(written.err).toContain('unknown field "nope"');
});

test('the environment gives flags, and is refused where the command line gives them too', async () => {
  const port = await freePort();
  const etcd = startIn({ ETCD_LISTEN_CLIENT_URLS: `http://127.0.0.1:${port}` }, '--data-dir', directory);
  await etcd.ready;
  expect((await fetch(`http://127.0.0.1:${port}/version`)).status).toBe(200);
  etcd.stop();
  await etcd.status;

  const twice = startIn({ ETCD_DATA_DIR: directory }, '--data-dir', directory);
  expect(await twice.status).toBe(2);
  expect(twice.written.err).toContain('conflicting environment variable ETCD_DATA_DIR');
});
