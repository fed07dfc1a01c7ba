/**
 * Writes to the store in the directory given until it is killed, and tells on standard output what was
 * acknowledged: `<key> <value> <revision>`. Each writer counts up in a key of its own, and now and then
 * deletes it and begins again.
 */
import { writeSync } from 'node:fs';
import { LmdbStorage } from '../src/engine/lmdb/lmdb-storage.ts';

const writers = 24;
const directory = process.argv[2]!;
const storage = new LmdbStorage({ directory });
writeSync(1, 'ready\n');

async function write(writer: number): Promise<void> {
  const key = `/crash/${writer}`;
  for (let round = 0; ; round++) {
    const isDelete = round % 7 === 6;
    const value = `${process.pid}:${round}:${'x'.repeat((round * 131 + writer * 977) % 5000)}`;
    const entry = await storage.update(key, () =>
      isDelete ? { kind: 'delete' } : { kind: 'put', value: Buffer.from(value) },
    );
    const revision = entry?.modRevision ?? 0;
    if (revision > 0) writeSync(1, `${key} ${isDelete ? '-' : value.length} ${revision}\n`);
  }
}

await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
