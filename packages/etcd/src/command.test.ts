import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { runEtcd } from './command.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'coxswain-etcd-command-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Runs the program; `ready` resolves when it serves, or has ended. */
function start(...args: string[]) {
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
    env: {},
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

test('refuses flags that it does not know, in one line before the usage', async () => {
  const { status, written } = start('--nope=1');
  expect(await status).toBe(2);
  expect(written.err).toMatch(/^flag provided but not defined: -nope\nUsage:/);
});

test.each([
  [['--quota-backend-bytes=many'], 'invalid value "many" for flag -quota-backend-bytes: parse error'],
  [['--unsafe-no-fsync=perhaps'], 'invalid boolean value "perhaps" for flag -unsafe-no-fsync: parse error'],
  [['--data-dir'], 'flag needs an argument: -data-dir'],
  [['--listen-client-urls=127.0.0.1:2379'], 'URL scheme must be http or https'],
  [['--listen-client-urls=https://127.0.0.1:0'], 'TLS key/cert must be provided'],
  [['--auto-compaction-mode=sometimes'], 'auto-compaction-mode sometimes'],
  [['--auto-compaction-retention=5x'], 'invalid value "5x"'],
  [['--initial-cluster=a=http://1,b=http://2'], 'names 2 members'],
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
    `etcd: data directory ${join(directory, 'a')} is in use by another process\n`,
  );

  mkdirSync(join(directory, 'c', 'member'), { recursive: true });
  const foreign = start('--data-dir', join(directory, 'c'), ...urlsOf(await freePort()));
  expect(await foreign.status).toBe(2);
  expect(foreign.written.err).toContain('belongs to etcd itself');

  first.stop();
  expect(await first.status).toBe(0);
});
