/** A store whose disk fails; requires a C compiler. */
import { afterEach, expect, test } from 'vitest';
import { diskRounds } from './disk-rounds.ts';
import { faultyDisk, type FaultyDisk } from './faulty-disk.ts';

let disk: FaultyDisk | undefined = faultyDisk();
const isTested = disk !== undefined;
disk?.remove();
afterEach(() => {
  disk?.set('well');
  disk?.remove();
});

test.runIf(isTested)(
  'a disk that fails, is full, slow, or stops leads to no wrong answer, holds up no reader, and is gone on with',
  async () => {
    disk = faultyDisk()!;
    const rounds = await diskRounds(
      disk,
      ['slow', 'meta-error', 'log-error', 'read-only', 'stopped', 'short'],
      400,
    );

    expect(rounds.map(({ fault, refused }) => [fault, refused > 0])).toEqual([
      ['slow', false],
      ['meta-error', expect.anything()],
      ['log-error', true],
      ['read-only', true],
      ['stopped', false],
      ['short', false],
    ]);
    expect(rounds[0]!.acknowledged).toBeGreaterThan(0);
    expect(rounds[1]!.problems).toEqual([expect.stringMatching(/the last checkpoint failed: .*error/i)]);
    expect(rounds[3]!.refusals).toEqual([expect.stringContaining('read-only file system')]);
    for (const { readMsMax } of rounds.slice(0, 4)) expect(readMsMax).toBeLessThan(2_000);
  },
  60_000,
);
