import { MessageChannel } from 'node:worker_threads';
import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { storageSuite } from '../../suite/storage-suite.ts';
import { MemoryStorage } from '../engine/memory/memory-storage.ts';
import { prefixRange, type Event } from '../storage.ts';
import { EventStream } from './event-stream.ts';
import { FollowerStorage } from './follower-storage.ts';
import { serveStorage } from './serve-storage.ts';

async function followed(store: MemoryStorage) {
  const { port1, port2 } = new MessageChannel();
  const stream = new EventStream(store);
  const stop = serveStorage(port1, () => store, stream);
  return {
    storage: await FollowerStorage.open(port2),
    close() {
      stop();
      stream.stop();
      port1.close();
    },
  };
}

storageSuite('the store of another thread, followed', async () => {
  const clock = new ManualClock();
  const store = new MemoryStorage({ clock });
  const { storage, close } = await followed(store);
  return {
    storage,
    advance: (ms: number) => clock.advance(ms),
    async dispose() {
      close();
      await store.close();
    },
  };
});

const put = (text: string) => () => ({ kind: 'put' as const, value: new TextEncoder().encode(text) });

test('a writer through it has received the event when its write is answered', async () => {
  const store = new MemoryStorage({ clock: new ManualClock() });
  const { storage, close } = await followed(store);
  const reported: number[] = [];
  storage.subscribe(prefixRange('/a/'), storage.currentRevision, {
    onEvents: ({ events }) => reported.push(...events.map(({ entry }) => entry.modRevision)),
    onEnd: () => undefined,
  });

  const written = await storage.update('/a/one', put('1'));

  expect(reported).toEqual([written!.modRevision]);
  expect(storage.currentRevision).toBe(written!.modRevision);
  close();
  await store.close();
});

test("it is behind from another writer's response until it receives the event", async () => {
  const store = new MemoryStorage({ clock: new ManualClock() });
  const { storage, close } = await followed(store);

  const written = await store.update('/a/one', put('1'));
  expect(storage.isBehind).toBe(true);
  await storage.caughtUp();

  expect(storage.isBehind).toBe(false);
  expect(storage.currentRevision).toBe(written!.modRevision);
  close();
  await store.close();
});

test('it knows events from before it was opened, with the replaced values', async () => {
  const store = new MemoryStorage({ clock: new ManualClock() });
  const before = store.currentRevision;
  await store.update('/a/ä', put('1'));
  await store.update('/a/ä', put('2'));
  await store.update('/a/ä', () => ({ kind: 'delete' }));
  const { storage, close } = await followed(store);
  const events: Event[] = [];
  storage.subscribe(prefixRange('/a/'), before, {
    onEvents: (batch) => events.push(...batch.events),
    onEnd: () => undefined,
  });

  const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
  expect(
    events.map(({ type, entry, previous }) => [type, entry.key, text(entry.value), text(previous?.value)]),
  ).toEqual([
    ['put', '/a/ä', '1', undefined],
    ['put', '/a/ä', '2', '1'],
    ['delete', '/a/ä', '2', '2'],
  ]);
  close();
  await store.close();
});
