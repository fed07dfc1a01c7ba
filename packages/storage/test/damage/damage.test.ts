import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { damageRounds } from './damage-rounds.ts';

test('after any damage to a file, everything acknowledged is there, or the damage is reported', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-damage-'));
  try {
    const { verdicts, failures } = await damageRounds({ rounds: 300, seed: 20_261_123, directory });
    expect(failures).toEqual([]);
    expect(verdicts['refused']).toBeGreaterThan(50);
    expect(verdicts['whole']).toBeGreaterThan(50);
    expect(verdicts['named']).toBeGreaterThan(0);
  } finally {
    rmSync(directory, { recursive: true });
  }
}, 240_000);
