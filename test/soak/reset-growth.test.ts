import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/**
 * Alone, a controller sets so few timers, and stores so little, that nothing that is kept for a while reaches its bound
 * and hides what is kept for good.
 */
const clusters = { 'a test cluster': [], 'a cluster of one controller': ['deployment-controller'] };

test.for(Object.entries(clusters))(
  'resets of %s leave nothing behind',
  { timeout: 300_000 },
  async ([, controllers]) => {
    const program = path.join(import.meta.dirname, 'count-after-resets.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...controllers]);
    // A single observer that stays would be 20.
    expect(Number(stdout)).toBeLessThan(20);
  },
);
