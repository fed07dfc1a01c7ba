/**
 * `one-batch.ts DIRECTORY SEED FIRST ROUNDS`: damages stores, and prints on standard output the number and kind of damage
 * before each round and the result after it, so that a crashed process has said what it was doing.
 */
import { mkdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { randomDamage } from './damages.ts';
import { judge } from './judge.ts';
import { leftStores } from './stores.ts';

const [root, seed, first, rounds] = process.argv.slice(2) as [string, string, string, string];
const stores = await leftStores(join(root, 'stores'), seededRandom(Number(seed)));
const directory = join(root, 'damaged');

for (let round = Number(first); round < Number(first) + Number(rounds); round++) {
  const random = seededRandom(Number(seed) * 1_000_003 + round);
  const store = stores[round % stores.length]!;
  const other = stores[(round + 1) % stores.length]!;
  const { what, files } = randomDamage(store, other, random);
  writeSync(1, `${round}\t${store.name}: ${what}\t`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(directory, name), bytes);
  const verdict = await judge(directory, store).catch((failure: unknown) => `WRONG ${messageOf(failure)}`);
  writeSync(1, `${verdict.split('\n')[0]}\n`);
}
