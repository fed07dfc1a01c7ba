import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { LmdbStorage } from '../src/engine/lmdb/lmdb-storage.ts';
import { prefixRange } from '../src/storage.ts';

const rounds = 20;
const lifetimeMsMax = 120;

/** Runs the writer, kills it `afterMs` after its first sign of life, and returns what it acknowledged. */
async function runAndKill(directory: string, afterMs: number): Promise<string[]> {
  const writer = spawn(process.execPath, [join(import.meta.dirname, 'crash-writer.ts'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  await new Promise<void>((resolve) => {
    writer.stdout.on('data', (chunk) => {
      if (output === '') setTimeout(() => writer.kill('SIGKILL'), afterMs);
      output += chunk;
    });
    writer.on('close', () => resolve());
  });
  return output.slice(0, output.lastIndexOf('\n')).split('\n').slice(1);
}

/** What the newest acknowledged write of each key was. */
function newestOf(lines: readonly string[]): Map<string, { size: string; revision: number }> {
  const newest = new Map<string, { size: string; revision: number }>();
  for (const line of lines) {
    const [key, size, revision] = line.split(' ') as [string, string, string];
    if (Number(revision) > (newest.get(key)?.revision ?? 0))
      newest.set(key, { size, revision: Number(revision) });
  }
  return newest;
}

test('a writer killed at any moment has lost nothing that it acknowledged', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-crash-'));
  const random = seededRandom(20_260_101);
  const acknowledged: string[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      acknowledged.push(...(await runAndKill(directory, random.next() * lifetimeMsMax)));
      const storage = new LmdbStorage({ directory });
      await checkAgainst(storage, acknowledged);
      await storage.close();
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  expect(acknowledged.length).toBeGreaterThan(rounds);
}, 60_000);

async function checkAgainst(storage: LmdbStorage, acknowledged: readonly string[]): Promise<void> {
  const revision = await storage.revision();
  for (const [key, { size, revision: written }] of newestOf(acknowledged)) {
    expect(revision).toBeGreaterThanOrEqual(written);
    const at = await storage.get(key, { revision: written });
    expect(`${key} ${at === undefined ? '-' : at.value.length}`).toBe(`${key} ${size}`);
  }
  const events = storage.engine.history(prefixRange('/crash/'), storage.engine.compactedRevision);
  expect(events.map((batch) => batch.revision)).toEqual(
    Array.from({ length: revision - 1 }, (_, i) => i + 2),
  );
}
