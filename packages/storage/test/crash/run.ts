/**
 * `npm run storage-crash -- [--rounds 1000] [--seed N] [--power-loss [--lying-disk]]`: kills a writer at random
 * moments, or cuts the power of its disk. With --lying-disk, which ignores syncs, it must fail.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { powerLosses } from './power-loss.ts';
import { crashRounds } from './rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'power-loss': { type: 'boolean', default: false },
    'lying-disk': { type: 'boolean', default: false },
  },
});
const settings = { rounds: Number(values.rounds), seed: Number(values.seed) };
const directory = mkdtempSync(join(tmpdir(), 'coxswain-crash-'));
const startMs = performance.now();
console.log(`seed ${settings.seed}, ${settings.rounds} rounds in ${directory}`);
if (values['power-loss']) {
  const outcome = await powerLosses({ ...settings, directory, isLying: values['lying-disk'] });
  console.log(outcome);
  if (outcome.failed > 0) process.exit(1);
} else {
  const onRound = (round: number, acknowledged: number, revision: number): void => {
    if (round % 50 === 0) console.log(`round ${round}: ${acknowledged} acknowledged, revision ${revision}`);
  };
  console.log(await crashRounds({ ...settings, directory, onRound }));
}
console.log(`nothing acknowledged was lost, in ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
rmSync(directory, { recursive: true });
