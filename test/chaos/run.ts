/**
 * `npm run chaos -- [SEEDS] [FIRST]`: so many seeds, one after the other, each twice when `--twice` is given. Prints
 * what was broken with its seed, and ends with 1 if anything was. A turn of the event loop over the bound is told again
 * to be sure: what compiles code or collects garbage falls into another one then, what takes too long does not.
 */

import { withLongestTurn } from './longest-turn.ts';
import { chaosStory, type StoryOutcome } from './story.ts';

const twice = process.argv.includes('--twice');
const [count = 1000, first = 1] = process.argv
  .slice(2)
  .filter((arg) => /^\d+$/.test(arg))
  .map(Number);

const progressEvery = 20;

/** As the server's own watch has it. */
const turnMsMax = 50;
const timesReported = 3;

/** The story of a seed, and what is wrong with it; over and over while a turn of it takes too long. */
async function reported(seed: number): Promise<StoryOutcome> {
  let longestMs = Number.POSITIVE_INFINITY;
  for (let time = 1; ; time++) {
    const { done: outcome, ms } = await withLongestTurn(() => chaosStory(seed));
    longestMs = Math.min(longestMs, ms);
    if (longestMs <= turnMsMax) return outcome;
    if (time < timesReported) continue;
    const turn = `a turn of the event loop takes ${longestMs.toFixed(0)} ms, every time`;
    return { ...outcome, broken: [...outcome.broken, turn] };
  }
}

let failures = 0;
const startedMs = performance.now();
for (let seed = first; seed < first + count; seed++) {
  const done = seed - first;
  if (done > 0 && done % progressEvery === 0) console.log(`${done} seeds, ${failures} went wrong`);
  const outcome = await reported(seed);
  const again = twice ? await chaosStory(seed) : outcome;
  const broken = [
    ...outcome.broken,
    ...(again.digest === outcome.digest ? [] : ['a second run had another history']),
  ];
  if (broken.length === 0) continue;
  failures++;
  console.log(`seed ${seed}\n  ${outcome.steps.join('\n  ')}\n  BROKEN\n  ${broken.join('\n  ')}`);
}
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
console.log(`${count - failures} of ${count} seeds went well, in ${seconds} s`);
process.exitCode = failures === 0 ? 0 : 1;
