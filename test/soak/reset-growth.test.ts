import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('resets of a test cluster leave nothing behind', { timeout: 120_000 }, async () => {
  const program = path.join(import.meta.dirname, 'count-after-resets.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  // A single observer that stays would be 20.
  expect(Number(stdout)).toBeLessThan(20);
});
