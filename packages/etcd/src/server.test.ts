import { ManualClock, type StepObserver } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { MemoryStorage } from '@coxswain/storage';
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { storageSuite } from '@coxswain/storage/suite/storage-suite.ts';
import { serveEtcd } from './server.ts';

/** Both ends of the network: the client back end connected to the server, over the memory engine. */
storageSuite('the etcd back end on our own etcd', async () => {
  const clock = new ManualClock();
  const engine = new MemoryStorage({ clock });
  const listener = await serveEtcd({ engine: engine.engine, clock });
  return {
    storage: new EtcdStorage({
      endpoints: [`http://127.0.0.1:${listener.port}`],
      directory: { inner: '', outer: '/tenant' },
    }),
    advance: async (ms) => {
      await clock.advance(ms);
      await new Promise<void>((resolve) => void setTimeout(resolve, 20));
    },
    dispose: async () => {
      await listener.close();
      await engine.close();
    },
  };
});

const put = (storage: EtcdStorage, key: string) =>
  storage.update(key, () => ({ kind: 'put', value: new Uint8Array([1]) }));

test('a key prefix keeps tenants of one etcd apart', async () => {
  const engine = new MemoryStorage();
  const listener = await serveEtcd({ engine: engine.engine });
  const endpoints = [`http://127.0.0.1:${listener.port}`];
  const [one, other] = ['/one', '/other'].map(
    (outer) => new EtcdStorage({ endpoints, directory: { inner: '', outer } }),
  );
  await put(one!, '/a');
  await put(other!, '/b');

  expect((await one!.list({ start: '/', end: '0' })).entries.map(({ key }) => key)).toEqual(['/a']);
  expect((await engine.list({ start: '/', end: '0' })).entries.map(({ key }) => key)).toEqual([
    '/one/a',
    '/other/b',
  ]);
  await Promise.all([one!.close(), other!.close()]);
  await listener.close();
});

test('whoever observes a write learns its revision', async () => {
  const engine = new MemoryStorage();
  const listener = await serveEtcd({ engine: engine.engine });
  const storage = new EtcdStorage({ endpoints: [`http://127.0.0.1:${listener.port}`] });
  const written: unknown[] = [];
  const observer: StepObserver = {
    begin: () => undefined,
    wrote: (revision, key) => void written.push({ revision, key }),
  };

  const put = await storage.update('/a', () => ({ kind: 'put', value: new Uint8Array([1]) }), { observer });
  const gone = await storage.update('/a', () => ({ kind: 'delete' }), { observer });

  expect(written).toEqual([put, gone].map((entry) => ({ revision: entry?.modRevision, key: '/a' })));
  await storage.close();
  await listener.close();
});

test('when an endpoint goes away the next one is used', async () => {
  const engine = new MemoryStorage();
  const [first, second] = [
    await serveEtcd({ engine: engine.engine }),
    await serveEtcd({ engine: engine.engine }),
  ];
  const endpoints = [first, second].map(({ port }) => `http://127.0.0.1:${port}`);
  const storage = new EtcdStorage({ endpoints });
  await put(storage, '/a');
  const watch = storage
    .watch({ start: '/', end: '0' }, 2, new AbortController().signal)
    [Symbol.asyncIterator]();
  const interrupted = expect(watch.next()).rejects.toMatchObject({ kind: 'unavailable' });
  // The watch must be established before its connection is cut.
  await storage.revision();
  await first.close();
  await interrupted;

  expect(await storage.get('/a')).toMatchObject({ modRevision: 2 });
  expect(await put(storage, '/b')).toMatchObject({ modRevision: 3 });
  await storage.close();
  await second.close();
});

test('when no endpoint answers it says so', async () => {
  const storage = new EtcdStorage({ endpoints: ['http://127.0.0.1:1'], timeoutMs: 10 });
  await expect(storage.get('/a')).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('no etcd endpoint answers (http://127.0.0.1:1)'),
  });
  await storage.close();
});

test('a watch from a revision that an etcd, put back to an earlier state, has not come to is told to begin anew', async () => {
  const engine = new MemoryStorage();
  const listener = await serveEtcd({ engine: engine.engine });
  const storage = new EtcdStorage({ endpoints: [`http://127.0.0.1:${listener.port}`] });
  await put(storage, '/a');
  const from = (revision: number) =>
    storage.watch({ start: '/', end: '0' }, revision, new AbortController().signal)[Symbol.asyncIterator]();
  const other = from(2);
  const next = other.next();

  await expect(from(1_000).next()).rejects.toMatchObject({ kind: 'compacted', revision: 2 });
  await put(storage, '/b');
  expect((await next).value).toMatchObject({ revision: 3 });
  await other.return();
  await storage.close();
  await listener.close();
});
