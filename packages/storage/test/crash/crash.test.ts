import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { powerLosses } from './power-loss.ts';
import { crashRounds } from './rounds.ts';

const rounds = 20;

test('a writer killed at any moment has lost nothing that it acknowledged', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'coxswain-crash-'));
  try {
    const { underLoad } = await crashRounds({ rounds, seed: 20_260_101, directory });
    expect(underLoad).toBeGreaterThan(rounds / 2);
  } finally {
    rmSync(directory, { recursive: true });
  }
}, 120_000);

const hasStrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

describe.runIf(hasStrace)('a loss of power', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'coxswain-power-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('takes nothing that was acknowledged', async () => {
    const { failed, failures, acknowledged } = await powerLosses({ rounds: 20, seed: 7, directory });
    expect(failures).toEqual([]);
    expect(failed).toBe(0);
    expect(acknowledged).toBeGreaterThan(90);
  }, 240_000);

  test('loses something when the disk ignores syncs', async () => {
    const { failed } = await powerLosses({ rounds: 3, seed: 7, directory, isLying: true });
    expect(failed).toBeGreaterThan(0);
  }, 240_000);
});
