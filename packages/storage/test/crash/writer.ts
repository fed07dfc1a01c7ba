/**
 * Writes to the store in the given directory until it is killed, and prints what was acknowledged on standard output:
 * `<key> <bytes> <revision>`, with `-` for the bytes of a delete. Each writer counts up in a key of its own, and
 * occasionally deletes it and starts again. Some keys are on leases that expire. Meanwhile the history is compacted and
 * the file defragmented.
 *
 * `writer.ts DIRECTORY [sync|relaxed]`
 */
import { writeSync } from 'node:fs';
import { LmdbStorage, type Durability } from '../../src/engine/lmdb/lmdb-storage.ts';

const writers = 24;
/** The number of writers whose keys are on leases. */
const leased = 4;
const compactEveryMs = 40;
const defragmentEveryMs = 70;
/** The number of revisions that a compaction keeps. */
const kept = 500;

const [, , directory, durability = 'sync'] = process.argv as [string, string, string, Durability?];
const storage = new LmdbStorage({ directory, durability, historyMsMax: 0 });
writeSync(1, 'ready\n');

async function write(writer: number): Promise<void> {
  const key = `/crash/${writer}`;
  for (let round = 0; ; round++) {
    const isDelete = round % 7 === 6;
    const value = `${process.pid}:${round}:${'x'.repeat((round * 131 + writer * 977) % 5000)}`;
    const ttl = writer < leased ? { ttlSeconds: 1 } : {};
    const entry = await storage.update(key, () =>
      isDelete ? { kind: 'delete' } : { kind: 'put', value: Buffer.from(value), ...ttl },
    );
    const revision = entry?.modRevision ?? 0;
    if (revision > 0) writeSync(1, `${key} ${isDelete ? '-' : value.length} ${revision}\n`);
  }
}

async function every(ms: number, task: () => Promise<void>): Promise<void> {
  for (;;) {
    await new Promise<void>((resolve) => void setTimeout(resolve, ms));
    await task();
  }
}

await Promise.all([
  ...Array.from({ length: writers }, (_, writer) => write(writer)),
  every(compactEveryMs, async () => {
    const until = storage.currentRevision - kept;
    if (until > storage.compactedRevision) await storage.compact(until);
  }),
  every(defragmentEveryMs, () => storage.engine.defragment()),
]);
