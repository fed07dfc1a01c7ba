/**
 * What snapshot, reset and fork of a store cost, with its cache filled, and what a cached object takes:
 * `node bench/snapshots.ts [objects]`, with --expose-gc for the memory.
 */
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { objectCodec } from '@coxswain/apiserver/registry/object-codec.ts';
import { Cacher, MemoryStorage } from '@coxswain/storage';
import { rewind } from '@coxswain/storage/engine/rewind.ts';

const objects = Number(process.argv[2] ?? 100_000);
const changed = 100;
const prefix = '/registry/configmaps/';
const text = 'x'.repeat(1024);

const storage = new MemoryStorage();
const put = (index: number, data: string) => {
  const name = `c-${String(index).padStart(7, '0')}`;
  const value = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}","namespace":"default","uid":"u-${index}","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"a${index % 100}"}},"data":{"k":"${data}"}}`;
  return storage.update(`${prefix}default/${name}`, () => ({
    kind: 'put',
    value: new TextEncoder().encode(value),
  }));
};

const kept = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const timed = async (what: string, run: () => unknown): Promise<void> => {
  const beganMs = performance.now();
  await run();
  console.log(`${what.padEnd(58)} ${(performance.now() - beganMs).toFixed(2).padStart(9)} ms`);
};

const before = kept();
let bytes = 0;
for (let index = 0; index < objects; index++) bytes += (await put(index, text))!.value.length;
await storage.compact(storage.currentRevision);
const stored = kept();
const cacher = new Cacher({ storage, prefix, codec: objectCodec(ConfigMap) });
await timed(`fill the cache with ${objects} objects`, () => cacher.ready());
const cached = kept();
if (globalThis.gc !== undefined) {
  const each = (sum: number) => (sum / objects).toFixed(0);
  console.log(
    `an object: ${each(bytes)} bytes; stored ${each(stored - before)}; cached, further ${each(cached - stored)}`,
  );
}

let snapshot = storage.snapshot();
await timed('snapshot', () => (snapshot = storage.snapshot()));
for (let index = 0; index < changed; index++) await put(index * 7, 'changed');
await timed(`reset after ${changed} changes`, () => storage.reset(snapshot));
await timed('the first list of a page after it', () => cacher.list({ limit: 500 }));
await timed('fork', () => storage.fork());
const revision = storage.currentRevision;
for (let index = 0; index < changed; index++) await put(index * 7, 'changed');
await timed(`rewind of ${changed} changes, as on disk`, () => rewind(storage.engine, revision));
cacher.close();
await storage.close();
