/**
 * What storage and cache cost: `node bench/storage.ts [step…]`. Absolute figures depend on the machine and on
 * what else it does; compare runs, not machines.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  Cacher,
  MemoryStorage,
  prefixRange,
  type Entry,
  type ObjectCodec,
  type Storage,
} from '@coxswain/storage';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';

interface Pod {
  metadata: { name: string; labels: Record<string, string>; resourceVersion?: string };
  spec: { nodeName: string };
}

const prefix = '/registry/pods/';
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** As in an API server: the resource version is spliced into the stored bytes. */
const codec: ObjectCodec<Pod> = {
  served(entry: Entry) {
    const version = encoder.encode(`{"resourceVersion":"${entry.modRevision}",`);
    const served = new Uint8Array(version.length + entry.value.length - 1);
    served.set(version);
    served.set(entry.value.subarray(1), version.length);
    return served;
  },
  decode: ({ decoded, value }) => (decoded as Pod | undefined) ?? (JSON.parse(decoder.decode(value)) as Pod),
  labels: (pod) => pod.metadata.labels,
  fields: (pod) => ({ 'spec.nodeName': pod.spec.nodeName }),
};

const filler = 'x'.repeat(2_000);

function podOf(index: number): Pod & { filler: string } {
  const metadata = { name: `web-${index}`, labels: { app: `app-${index % 100}` } };
  return {
    metadata,
    spec: { nodeName: `node-${index % 5_000}` },
    filler: filler.slice(0, 1_000 + (index % 1_000)),
  };
}

const keyOf = (index: number): string => `${prefix}ns-${index % 50}/web-${index}`;
const valueOf = (index: number): Uint8Array => encoder.encode(JSON.stringify(podOf(index)));
const put = (storage: Storage, index: number, value: Uint8Array) =>
  storage.update(keyOf(index), () => ({ kind: 'put', value }));

function report(name: string, count: number, elapsedMs: number, cpu: NodeJS.CpuUsage, more = ''): void {
  const cpuMs = (cpu.user + cpu.system) / 1_000;
  const rate = Math.round((count / elapsedMs) * 1_000).toLocaleString('en');
  const perCpu = Math.round((count / cpuMs) * 1_000).toLocaleString('en');
  console.log(`${name.padEnd(34)} ${rate.padStart(12)}/s ${perCpu.padStart(12)}/cpu-s  ${more}`);
}

async function measure(
  name: string,
  count: number,
  run: () => Promise<unknown> | void,
  more = '',
): Promise<void> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run();
  report(name, count, performance.now() - start, process.cpuUsage(cpu), more);
}

async function writers(storage: Storage, count: number, concurrency: number, from: number): Promise<void> {
  let next = from;
  const value = valueOf(1);
  const write = async (): Promise<void> => {
    while (next < from + count) await put(storage, next++, value);
  };
  await Promise.all(Array.from({ length: concurrency }, write));
}

async function puts(name: string, open: () => Storage): Promise<void> {
  const storage = open();
  let from = 0;
  for (const [concurrency, count] of [
    [1, 1_000],
    [16, 8_000],
    [256, 40_000],
  ] as const) {
    const start = from;
    await measure(`${name} put, ${concurrency} at a time`, count, () =>
      writers(storage, count, concurrency, start),
    );
    from += count;
  }
  await storage.close();
}

async function withDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-bench-'));
  try {
    await run(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function filled(count: number): Promise<{ storage: MemoryStorage; cacher: Cacher<Pod> }> {
  const storage = new MemoryStorage();
  for (let i = 0; i < count; i++) await put(storage, i, valueOf(i));
  const cacher = new Cacher({ storage, prefix, codec });
  await cacher.ready();
  return { storage, cacher };
}

const steps: Record<string, () => Promise<void>> = {
  'put-memory': () => puts('memory', () => new MemoryStorage()),
  'put-lmdb': () => withDirectory((directory) => puts('lmdb', () => new LmdbStorage({ directory }))),
  'put-lmdb-relaxed': () =>
    withDirectory((directory) =>
      puts('lmdb relaxed', () => new LmdbStorage({ directory, durability: 'relaxed' })),
    ),

  open: () =>
    withDirectory(async (directory) => {
      const rss = process.memoryUsage().rss;
      const first = performance.now();
      const storage = new LmdbStorage({ directory, durability: 'relaxed' });
      const createMs = performance.now() - first;
      const opened = (process.memoryUsage().rss - rss) / 1e6;
      await writers(storage, 50_000, 256, 0);
      await storage.close();
      const second = performance.now();
      const again = new LmdbStorage({ directory });
      console.log(
        `open: new ${createMs.toFixed(1)} ms, ${opened.toFixed(1)} MB; with 50,000 entries ${(performance.now() - second).toFixed(1)} ms`,
      );
      const cacher = new Cacher({ storage: again, prefix, codec });
      await measure('fill a cache from lmdb', 50_000, () => cacher.ready());
      await again.close();
    }),

  get: async () => {
    const { cacher } = await filled(50_000);
    const keys = Array.from({ length: 50_000 }, (_, i) => keyOf((i * 7_919) % 50_000));
    await measure('get, consistent', 500_000, () => {
      for (let i = 0; i < 500_000; i++) void cacher.get(keys[i % 50_000]!);
    });
  },

  list: async () => {
    const { cacher } = await filled(50_000);
    const comma = encoder.encode(',');
    const list = async (): Promise<void> => {
      const { objects } = await cacher.list();
      const parts: Uint8Array[] = [];
      for (const object of objects) parts.push(object.served, comma);
      Buffer.concat(parts);
    };
    await measure('list of 50,000, first', 50_000, list, 'objects; makes the served bytes');
    await measure(
      'list of 50,000, again',
      250_000,
      async () => {
        for (let i = 0; i < 5; i++) await list();
      },
      'objects',
    );
    const match = (app: string) => (object: { labels: Readonly<Record<string, string>> }) =>
      object.labels['app'] === app;
    await measure(
      'by label, first',
      1,
      async () => void (await cacher.list({ match: match('app-1') })),
      'lists; decodes',
    );
    await measure(
      'by label, scanned',
      50,
      async () => {
        for (let i = 0; i < 50; i++) await cacher.list({ match: match(`app-${i}`) });
      },
      'lists of 500 out of 50,000',
    );
    await cacher.list({ label: { label: 'app', value: 'app-1' }, match: match('app-1') });
    await measure(
      'by label, indexed',
      2_000,
      async () => {
        for (let i = 0; i < 2_000; i++) {
          const value = `app-${i % 100}`;
          await cacher.list({ label: { label: 'app', value }, match: match(value) });
        }
      },
      'lists of 500 out of 50,000',
    );
    const onNode = (value: string) =>
      cacher.list({
        field: { field: 'spec.nodeName', value },
        match: (object) => object.fields['spec.nodeName'] === value,
      });
    await onNode('node-1');
    await measure(
      'by node, indexed',
      20_000,
      async () => {
        for (let i = 0; i < 20_000; i++) await onNode(`node-${i % 5_000}`);
      },
      'lists of 10 out of 50,000',
    );
  },

  fanout: async () => {
    for (const watcherCount of [1, 100, 1_000]) {
      const { storage, cacher } = await filled(100);
      const watchers = await Promise.all(Array.from({ length: watcherCount }, () => cacher.watch()));
      let delivered = 0;
      const readers = watchers.map(async (watcher) => {
        for await (const batch of watcher) {
          for (const event of batch)
            if (event.type !== 'BOOKMARK') delivered += Number(event.frame.length > 0);
        }
      });
      const value = valueOf(1);
      await measure(
        `${watcherCount} watchers, 1,000 events`,
        1_000 * watcherCount,
        async () => {
          for (let i = 0; i < 1_000; i += 10) {
            await Promise.all(Array.from({ length: 10 }, (_, j) => put(storage, 1_000 + i + j, value)));
            await new Promise<void>((resolve) => void setImmediate(resolve));
          }
          for (const watcher of watchers) watcher.end('closed');
          await Promise.all(readers);
        },
        `deliveries, ${delivered === 0 ? '' : delivered}`,
      );
    }
  },

  selective: async () => {
    const { storage, cacher } = await filled(100);
    for (let i = 0; i < 5_000; i++) {
      const value = `node-${i}`;
      await cacher.watch({
        field: { field: 'spec.nodeName', value },
        match: (object) => object.fields['spec.nodeName'] === value,
      });
    }
    const values = Array.from({ length: 10_000 }, (_, i) => valueOf(i));
    await measure(
      '5,000 node watchers',
      10_000,
      async () => {
        for (let i = 0; i < 10_000; i++) await put(storage, i, values[i]!);
      },
      'events, each for one of them',
    );
  },

  memory: () =>
    withDirectory(async (directory) => {
      const storage = new LmdbStorage({ directory, durability: 'relaxed' });
      const batch = 1_000;
      for (let i = 0; i < 150_000; i += batch) {
        await Promise.all(Array.from({ length: batch }, (_, j) => put(storage, i + j, valueOf(i + j))));
      }
      const rss = () =>
        `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB (heap ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)}, bytes ${(process.memoryUsage().arrayBuffers / 1e6).toFixed(0)})`;
      console.log('150,000 pods of 1.1–2.1 KB; before the cache', rss());
      const cacher = new Cacher({ storage, prefix, codec });
      await cacher.ready();
      console.log('cache filled', rss());
      const { objects } = await cacher.list();
      for (const object of objects) void object.served;
      console.log('all listed', rss());
      await cacher.list({ match: (object) => object.labels['app'] === 'app-1' });
      console.log('labels of all known', rss());
      await storage.close();
    }),

  snapshot: async () => {
    const { storage } = await filled(50_000);
    const snapshot = storage.snapshot();
    await measure('fork of 50,000 entries', 10_000, () => {
      for (let i = 0; i < 10_000; i++) storage.fork();
    });
    await measure('reset of 50,000 entries', 10_000, () => {
      for (let i = 0; i < 10_000; i++) storage.reset(snapshot);
    });
    await storage.list(prefixRange(prefix), { limit: 1 });
  },
};

const { positionals } = parseArgs({ allowPositionals: true });
const wanted = positionals.length === 0 ? Object.keys(steps) : positionals;
for (const name of wanted) {
  const step = steps[name];
  if (step === undefined) throw new Error(`no step ${name}; there are ${Object.keys(steps).join(', ')}`);
  await step();
}
