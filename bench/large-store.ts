/**
 * A server on a large store: `node bench/large-store.ts [--pods 150000] [--bytes 4000]`. Writes a data directory with so
 * many pods, opens it, starts a kube-apiserver on it, and tells how long each takes and how much memory it needs.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dataFileOf } from '@coxswain/storage/engine/lmdb/file-names.ts';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';

const { values } = parseArgs({
  options: { pods: { type: 'string', default: '150000' }, bytes: { type: 'string', default: '4000' } },
});
const pods = Number(values.pods);
const folder = mkdtempSync(join(tmpdir(), 'coxswain-large-'));
const directory = join(folder, 'data');

function podBytes(index: number): Buffer {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `web-${index}`,
      namespace: `ns-${index % 100}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: `app-${index % 500}`, 'pod-template-hash': '5d4f8c7b9' },
      annotations: { filler: '' },
    },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'nginx',
          imagePullPolicy: 'Always',
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      nodeName: `node-${index % 5_000}`,
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      securityContext: {},
      schedulerName: 'default-scheduler',
    },
    status: { phase: 'Running', podIP: '10.0.0.1', qosClass: 'BestEffort' },
  };
  const missing = Number(values.bytes) - Buffer.byteLength(JSON.stringify(pod));
  pod.metadata.annotations.filler = 'x'.repeat(Math.max(0, missing));
  return Buffer.from(JSON.stringify(pod));
}

async function timed<T>(name: string, task: () => Promise<T> | T): Promise<T> {
  const startMs = performance.now();
  const result = await task();
  console.log(`${name.padEnd(44)} ${((performance.now() - startMs) / 1000).toFixed(2)} s`);
  return result;
}

await timed(`write ${pods} pods`, async () => {
  const storage = new LmdbStorage({ directory, durability: 'relaxed' });
  for (let from = 0; from < pods; from += 1_000) {
    await Promise.all(
      Array.from({ length: Math.min(1_000, pods - from) }, (_, i) =>
        storage.update(`/registry/pods/ns-${(from + i) % 100}/web-${from + i}`, () => ({
          kind: 'put',
          value: podBytes(from + i),
        })),
      ),
    );
  }
  await storage.compact(storage.currentRevision);
  await storage.engine.defragment();
  await storage.close();
});
console.log(`file: ${(statSync(dataFileOf(directory)).size / 1024 ** 2).toFixed(0)} MiB`);
await timed('open the store, read a key', async () => {
  const storage = new LmdbStorage({ directory });
  await storage.get('/registry/pods/ns-0/web-0');
  await storage.close();
});

const port = await freePort();
writeFileSync(join(folder, 'tokens.csv'), 'bench-token,bench,bench,"system:masters"\n');
const server = await timed('kube-apiserver: process start to ready', async () => {
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../packages/coxswain/bin/coxswain.mjs'),
      'kube-apiserver',
      `--data-dir=${directory}`,
      `--secure-port=${port}`,
      `--cert-dir=${folder}`,
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`kube-apiserver ended with ${code}`);
  });
  while ((await get('/readyz').catch(() => undefined))?.status !== 200) await pause(20);
  return child;
});
tellMemory('RSS when ready');
await timed('get of one pod, the first', () => get('/api/v1/namespaces/ns-0/pods/web-0'));
await timed('list of one page of 500', () => get('/api/v1/pods?limit=500'));
tellMemory('RSS after a page');
await timed('list of all pods', async () => {
  const { bytes } = await get('/api/v1/pods');
  console.log(`  ${(bytes / 1024 ** 2).toFixed(0)} MiB`);
});
await pause(2_000);
tellMemory('RSS after a list of all');
server.kill('SIGTERM');
await new Promise<void>((resolve) => void server.once('close', () => resolve()));
rmSync(folder, { recursive: true });

function tellMemory(name: string): void {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const [rss, anonymous, file] = ['VmRSS', 'RssAnon', 'RssFile'].map((field) =>
    Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)![1]) / 1024),
  );
  console.log(`${name.padEnd(44)} ${rss} MiB (${anonymous} of its own, ${file} of files)`);
}

function get(path: string): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer bench-token' };
    const call = request({ host: '127.0.0.1', port, path, headers, rejectUnauthorized: false }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes }));
      answer.on('error', reject);
    });
    call.on('error', reject);
    call.end();
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => void probe.close(() => resolve()));
  return address.port;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
