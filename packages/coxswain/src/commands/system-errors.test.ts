import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { announceCluster } from '../local/running-clusters.ts';
import { runCoxswain } from './root.ts';

const files = [
  ['policy', 'test', '/nowhere/file'],
  ['crd', 'generate', '/nowhere/file'],
  ['client', 'generate', '/nowhere/file'],
  ['rbac', 'minimal', '--from-audit=/nowhere/file'],
  ['trace', '--from=/nowhere/file'],
  ['ui', '/nowhere/file'],
  ['restore', '/nowhere/file'],
];

test.each(files)('%s %s %s says in words that the file is missing', async (...args) => {
  const { status, said } = await run(args);
  expect(status).not.toBe(0);
  expect(said).toMatch(/^coxswain: .*\/nowhere\/file.*: no such file or directory\n$/);
});

test.each(files)('%s %s %s names a directory in the place of the file', async (...args) => {
  const directory = os.tmpdir();
  const { status, said } = await run(args.map((arg) => arg.replace('/nowhere/file', directory)));
  expect(status).not.toBe(0);
  expect(said).toMatch(/^coxswain: .*directory/);
  expect(said).toContain(directory);
  expect(said).not.toContain('EISDIR');
});

test.each(['assets', 'version', 'status', 'down', 'up'])('%s refuses an argument', async (name) => {
  expect((await run([name, 'extra'])).said).toBe(
    `coxswain: unknown command "extra" for "coxswain ${name}"\n`,
  );
});

test('trace starts no cluster for a program that does not exist', async () => {
  const { status, said } = await run(['trace', 'no-such-program'], { PATH: '/usr/bin:/bin' });
  expect(status).toBe(1);
  expect(said).toBe('coxswain: cannot run no-such-program: no such program\n');
});

const ofAnyCluster = [
  ['who-can', 'get', 'pods'],
  ['why-denied', 'get', 'pods', '--as=me'],
  ['history', 'pod/web'],
  ['explain', 'pod', 'web'],
  ['token', 'list'],
  ['ui'],
  ['dns'],
];

test.each(ofAnyCluster)('%s says how to name a cluster', async (...args) => {
  const { status, said } = await run(args, { HOME: '/nowhere' });
  expect(status).toBe(1);
  expect(said).toBe(
    'coxswain: no kubeconfig found: set KUBECONFIG or --kubeconfig, or start a cluster with `coxswain up`\n',
  );
});

test.each(ofAnyCluster.filter(([name]) => name !== 'ui' && name !== 'dns'))(
  '%s says which cluster does not run',
  async (...args) => {
    const port = await unusedPort();
    const home = mkdtempSync(path.join(os.tmpdir(), 'coxswain-stopped-'));
    const file = path.join(home, 'kubeconfig');
    writeFileSync(
      file,
      `{clusters: [{name: a, cluster: {server: "https://127.0.0.1:${port}"}}], users: [{name: a, user: {token: x}}],
        contexts: [{name: a, context: {cluster: a, user: a}}], current-context: a}`,
    );
    const { status, said } = await run(args, { HOME: home, KUBECONFIG: file });
    rmSync(home, { recursive: true });
    expect(status).toBe(1);
    expect(said).toBe(
      `coxswain: nothing is listening on 127.0.0.1:${port}; \`coxswain status\` lists the clusters of this machine\n`,
    );
  },
);

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test.each([
  ['backup', 'FILE'],
  ['restore', 'FILE'],
  ['history', 'RESOURCE/NAME'],
  ['who-can', 'VERB RESOURCE [NAME]'],
  ['storage check', 'DIR...'],
  ['crd generate', 'FILE...'],
])('%s says which arguments it takes', async (command, wanted) => {
  const { status, said } = await run(command.split(' '));
  expect(status).toBe(1);
  expect(said).toMatch(/^coxswain: .*received 0; usage: /);
  expect(said).toContain(`usage: coxswain ${command} ${wanted}\n`);
});

test('the status of a cluster whose files are gone is told beside that of others', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'coxswain-status-'));
  const facts = {
    since: '2026-01-01T00:00:00.000Z',
    version: '0.1.0',
    kubernetesVersion: 'v1.36.3',
    inMemory: false,
  };
  const kubeconfig = path.join(home, 'gone/kubeconfig');
  const place = { url: 'https://127.0.0.1:6443', dataDirectory: path.join(home, 'data'), kubeconfig };
  const withdraw = announceCluster({ ...facts, ...place }, { HOME: home });
  const { status, out } = await run(['status'], { HOME: home });
  expect(status).toBe(1);
  expect(out).toContain(`not ready: stat ${kubeconfig}: no such file or directory`);
  withdraw();
  rmSync(home, { recursive: true });
});

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const written = { out: '', said: '' };
  const status = await runCoxswain(args, {
    out: { write: (text: string) => ((written.out += text), true) },
    err: { write: (text: string) => ((written.said += text), true) },
    input: Readable.from([]),
    env,
    signal: new AbortController().signal,
  } as unknown as Parameters<typeof runCoxswain>[1]);
  return { status, ...written };
}
