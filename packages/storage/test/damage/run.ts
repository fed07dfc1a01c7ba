/** `npm run storage-damage -- [--rounds 5000] [--seed N]`: damages files of stores at random places and opens them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { damageRounds } from './damage-rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const directory = mkdtempSync(join(tmpdir(), 'coxswain-damage-'));
console.log(`seed ${values.seed}, ${values.rounds} rounds in ${directory}`);
const { verdicts, failures } = await damageRounds({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  directory,
});
console.log(verdicts);
for (const failure of failures) console.log(failure);
rmSync(directory, { recursive: true });
if (failures.length > 0) process.exitCode = 1;
