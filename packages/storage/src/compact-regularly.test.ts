import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { compactRegularly } from './compact-regularly.ts';
import { MemoryStorage } from './engine/memory/memory-storage.ts';

const intervalMs = 60_000;
const value = new Uint8Array();

async function storeWithWrites(clock: ManualClock) {
  const storage = new MemoryStorage({ clock, historyMsMax: 0 });
  const write = () => storage.update('/a', () => ({ kind: 'put', value }));
  for (let i = 0; i < 3; i++) await write();
  return { storage, write };
}

test('what was old a round ago is forgotten, what is newer stays', async () => {
  const clock = new ManualClock();
  const { storage, write } = await storeWithWrites(clock);
  const compaction = compactRegularly(storage, clock, intervalMs);
  await clock.advance(0);
  const seenFirst = storage.currentRevision;
  await write();

  await clock.advance(intervalMs);
  expect(storage.compactedRevision).toBe(seenFirst);
  compaction.stop();
});

test('it stops when it is told to, and with 0 it never begins', async () => {
  const clock = new ManualClock();
  const { storage } = await storeWithWrites(clock);
  compactRegularly(storage, clock, 0);
  compactRegularly(storage, clock, intervalMs).stop();

  await clock.advance(5 * intervalMs);
  expect(storage.compactedRevision).toBe(0);
});

test('a failure leaves it to the next round', async () => {
  const clock = new ManualClock();
  const { storage, write } = await storeWithWrites(clock);
  const compaction = compactRegularly(storage, clock, intervalMs);
  await clock.advance(0);
  await write();
  await storage.compact(storage.currentRevision);
  for (let round = 0; round < 2; round++) {
    await write();
    await clock.advance(intervalMs);
  }
  await write();
  await clock.advance(intervalMs);

  expect(storage.compactedRevision).toBeGreaterThan(4);
  compaction.stop();
});
