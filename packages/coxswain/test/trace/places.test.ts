import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const story = path.join(import.meta.dirname, 'places-story.ts');

test(
  'every step of every kind of undertaking has its position, and no Secret',
  { timeout: 240_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [story]);

    const lines = stdout.trimEnd().split('\n');
    const { counts, steps } = JSON.parse(lines.pop() ?? '');
    expect(lines).toEqual([]);
    expect(Object.keys(counts).toSorted()).toEqual([
      'command',
      'reconcile',
      'request',
      'schedule',
      'start',
      'stop',
      'sync',
    ]);
    expect(steps).toBeGreaterThan(5_000);
  },
);
