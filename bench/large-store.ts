/**
 * A server on a large store: `node bench/large-store.ts [--pods 150000] [--bytes 4000]`. Writes a data directory with so
 * many pods, opens it, starts a kube-apiserver on it, and tells how long each takes and how much memory it needs.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dataFileOf } from '@coxswain/storage/engine/lmdb/file-names.ts';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import { dataDirectoryOf, getFrom, startApiServer, writePods } from './stored-pods.ts';

const { values } = parseArgs({
  options: { pods: { type: 'string', default: '150000' }, bytes: { type: 'string', default: '4000' } },
});
const pods = Number(values.pods);
const root = mkdtempSync(join(tmpdir(), 'coxswain-large-'));
const directory = dataDirectoryOf(root);

async function timed<T>(name: string, task: () => Promise<T> | T): Promise<T> {
  const startMs = performance.now();
  const result = await task();
  console.log(`${name.padEnd(44)} ${((performance.now() - startMs) / 1000).toFixed(2)} s`);
  return result;
}

await timed(`write ${pods} pods`, () => writePods(directory, pods, Number(values.bytes)));
console.log(`file: ${(statSync(dataFileOf(directory)).size / 1024 ** 2).toFixed(0)} MiB`);
await timed('open the store, read a key', async () => {
  const storage = new LmdbStorage({ directory });
  await storage.get('/registry/pods/ns-0/web-0');
  await storage.close();
});

const { child, port } = await timed('kube-apiserver: process start to ready', () => startApiServer(root));
reportMemory('RSS when ready');
await timed('get of one pod, the first', () => get('/api/v1/namespaces/ns-0/pods/web-0'));
await timed('list of one page of 500', () => get('/api/v1/pods?limit=500'));
reportMemory('RSS after a page');
await timed('list of all pods', async () => {
  const { bytes } = await get('/api/v1/pods');
  console.log(`  ${(bytes / 1024 ** 2).toFixed(0)} MiB`);
});
await pause(2_000);
reportMemory('RSS after a list of all');
child.kill('SIGTERM');
await new Promise<void>((resolve) => void child.once('close', () => resolve()));
rmSync(root, { recursive: true });

function reportMemory(name: string): void {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const [rss, anonymous, file] = ['VmRSS', 'RssAnon', 'RssFile'].map((field) =>
    Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)![1]) / 1024),
  );
  console.log(`${name.padEnd(44)} ${rss} MiB (${anonymous} of its own, ${file} of files)`);
}

const get = (path: string): ReturnType<typeof getFrom> => getFrom(port, path);

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
