/**
 * Like `writer.ts`, but with a single file (without defragmentation), and it ends when its input does: for recording
 * its writes.
 */
import { writeSync } from 'node:fs';
import { LmdbStorage } from '../../src/engine/lmdb/lmdb-storage.ts';

const writers = 12;
const kept = 200;

const directory = process.argv[2]!;
const storage = new LmdbStorage({ directory, historyMsMax: 0 });
let isOver = false;
process.stdin.on('end', () => (isOver = true)).resume();

async function write(writer: number): Promise<void> {
  const key = `/crash/${writer}`;
  for (let round = 0; !isOver; round++) {
    const isDelete = round % 7 === 6;
    const value = `${round}:${'x'.repeat((round * 131 + writer * 977) % 5000)}`;
    const entry = await storage.update(key, () =>
      isDelete ? { kind: 'delete' } : { kind: 'put', value: Buffer.from(value) },
    );
    const revision = entry?.modRevision ?? 0;
    if (revision > 0) writeSync(1, `${key} ${isDelete ? '-' : value.length} ${revision}\n`);
    const until = revision - kept;
    if (writer === 0 && round % 20 === 19 && until > storage.compactedRevision) await storage.compact(until);
  }
}

await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
process.exit(0);
