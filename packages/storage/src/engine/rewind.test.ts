import { expect, test } from 'vitest';
import { prefixRange } from '../storage.ts';
import { MemoryStorage } from './memory/memory-storage.ts';
import { rewind } from './rewind.ts';

const put = (storage: MemoryStorage, key: string, value: string) =>
  storage.update(key, () => ({ kind: 'put', value: new TextEncoder().encode(value) }));

const erase = (storage: MemoryStorage, key: string) => storage.update(key, () => ({ kind: 'delete' }));

const content = async (storage: MemoryStorage): Promise<Record<string, string>> => {
  const { entries } = await storage.list(prefixRange('/'));
  return Object.fromEntries(entries.map(({ key, value }) => [key, new TextDecoder().decode(value)]));
};

test('every key gets its former value, by ordinary events', async () => {
  const storage = new MemoryStorage();
  await put(storage, '/changed', '1');
  await put(storage, '/deleted', '1');
  await put(storage, '/untouched', '1');
  const revision = storage.currentRevision;
  await put(storage, '/changed', '2');
  await put(storage, '/changed', '3');
  await erase(storage, '/deleted');
  await put(storage, '/created', '1');
  await put(storage, '/passing', '1');
  await erase(storage, '/passing');
  const seen: string[] = [];
  storage.subscribe(prefixRange('/'), storage.currentRevision, {
    onEvents: ({ events }) => seen.push(...events.map(({ type, entry }) => `${type} ${entry.key}`)),
    onEnd: () => undefined,
  });

  const count = await rewind(storage.engine, revision);

  expect(await content(storage)).toEqual({ '/changed': '1', '/deleted': '1', '/untouched': '1' });
  expect([count, seen.sort()]).toEqual([3, ['delete /created', 'put /changed', 'put /deleted']]);
});

test('a past that is forgotten cannot be put back', async () => {
  const storage = new MemoryStorage();
  const revision = (await put(storage, '/a', '1'))!.modRevision;
  await put(storage, '/a', '2');
  await put(storage, '/a', '3');
  await storage.compact(storage.currentRevision);

  await expect(rewind(storage.engine, revision)).rejects.toMatchObject({ kind: 'compacted' });
});
