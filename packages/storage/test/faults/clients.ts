/**
 * Writes to and reads from the store in the given directory, and prints on standard output, one line each: `<key>
 * <bytes> <revision>` for an acknowledged write, `! <message>` for a refused one, `? <ms>` for the duration of a read
 * since the previous one, `~ <problem>` for the health status when it changes. Ends, with the store closed, at the end
 * of its input.
 *
 * `clients.ts DIRECTORY`
 */
import { writeSync } from 'node:fs';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { LmdbStorage } from '../../src/engine/lmdb/lmdb-storage.ts';
import { checkpointBoundsDefault } from '../../src/engine/log/logged-table.ts';

const writers = 8;
const readEveryMs = 20;

const directory = process.argv[2]!;
// Continual checkpoints, so that every fault affects some.
const checkpoints = { ...checkpointBoundsDefault, events: 50, batchEvents: 20, waitingEvents: 20_000 };
const storage = new LmdbStorage({ directory, checkpoints, historyMsMax: 0 });
const clients = { areEnding: false };
let problem = '';
writeSync(1, 'ready\n');
process.stdin.once('end', () => (clients.areEnding = true)).resume();

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Each key counts up, so that wrong values would be noticed. */
const newest = new Map<string, number>();

async function write(writer: number): Promise<void> {
  const key = `/crash/${writer}`;
  for (let round = 0; !clients.areEnding; round++) {
    const value = Buffer.from(`${round}:${'x'.repeat((round * 131 + writer * 977) % 3_000)}`);
    try {
      const entry = await storage.update(key, () => ({ kind: 'put', value }));
      newest.set(key, entry!.modRevision);
      writeSync(1, `${key} ${value.length} ${entry!.modRevision}\n`);
    } catch (failure) {
      writeSync(1, `! ${messageOf(failure)}\n`);
      await pause(20);
    }
    if (round % 10 === 0) await pause(2);
  }
}

async function read(): Promise<void> {
  for (let index = 0, lastMs = performance.now(); !clients.areEnding; index++) {
    await pause(readEveryMs);
    const key = `/crash/${index % writers}`;
    const known = newest.get(key) ?? 0;
    const entry = await storage.get(key);
    if ((entry?.modRevision ?? 0) < known)
      writeSync(1, `WRONG ${key} is of ${entry?.modRevision}, not ${known}\n`);
    const nowMs = performance.now();
    writeSync(1, `? ${Math.round(nowMs - lastMs)}\n`);
    lastMs = nowMs;
    if ((storage.problem ?? '') === problem) continue;
    problem = storage.problem ?? '';
    writeSync(1, `~ ${problem}\n`);
  }
}

await Promise.all([read(), ...Array.from({ length: writers }, (_, writer) => write(writer))]);
await storage.close();
