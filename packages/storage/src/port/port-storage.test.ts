import { MessageChannel } from 'node:worker_threads';
import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { storageSuite } from '../../suite/storage-suite.ts';
import { MemoryStorage } from '../engine/memory/memory-storage.ts';
import { StoragePort } from './port-storage.ts';
import { serveStorage } from './serve-storage.ts';

const resource = { group: '', resource: 'things' };

function overPort(store: MemoryStorage) {
  const { port1, port2 } = new MessageChannel();
  const stop = serveStorage(port1, () => store);
  return {
    storage: new StoragePort(port2).storageFor(resource),
    close() {
      stop();
      port1.close();
    },
  };
}

storageSuite('the store of another thread', async () => {
  const clock = new ManualClock();
  const store = new MemoryStorage({ clock });
  const { storage, close } = overPort(store);
  return {
    storage,
    advance: (ms: number) => clock.advance(ms),
    async dispose() {
      close();
      await store.close();
    },
  };
});

test('the bytes of an entry can be changed without changing the store', async () => {
  const store = new MemoryStorage({ clock: new ManualClock() });
  const { storage, close } = overPort(store);
  await store.update('/a', () => ({ kind: 'put', value: Uint8Array.of(1, 2) }));

  (await storage.get('/a'))!.value.fill(9);

  expect((await store.get('/a'))!.value).toEqual(Uint8Array.of(1, 2));
  close();
  await store.close();
});
