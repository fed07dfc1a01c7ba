/**
 * `npm run soak -- [--minutes 5] [--rate 150]`: a kube-apiserver on a data directory of its own, under mixed load.
 * Fails when an acknowledged write is not seen by a watch, when a revision goes back, when a request fails, when a turn
 * of the event loop holds up all others, or
 * when memory, files or the need of processor time go on growing; in a run of less than 20 minutes, which is too
 * short to be level, when memory or files are more than those of an hour.
 */
import { parseArgs } from 'node:util';
import { allLoads } from './mixed-load.ts';
import { cpuPercents, growthOf, sampled, type Sample } from './samples.ts';
import { longTurns } from './long-turns.ts';
import { startSoakServer } from './soak-server.ts';
import { Ledger } from './watch-ledger.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, rate: { type: 'string', default: '150' } },
});
const minutes = Number(values.minutes);
const durationMs = minutes * 60_000;
/** Caches fill, code is compiled, events reach their age, and the past its length, before anything is level. */
const warmUp = 0.4;
const levelMinutesMin = 20;
/** In a shorter run nothing is level yet; an hour's levels are 390 and 27. */
const shortRunMax = { ownMiB: 600, filesMiB: 100 };
const sampleMs = Math.max(1_000, durationMs / 240);

const server = await startSoakServer();
const ledger = new Ledger();
const ending = new AbortController();
const samples: Sample[] = [];
const startMs = performance.now();
await sample();
const sampling = setInterval(() => void sample().catch(() => undefined), sampleMs);
const loads = allLoads({ server, ledger, ratePerSecond: Number(values.rate), signal: ending.signal });
await Promise.race([loads, new Promise<void>((resolve) => void setTimeout(resolve, durationMs))]);
ending.abort();
const counts = await loads;
clearInterval(sampling);
await ledger.settled();
const problems = [
  ...ledger.problems(),
  ...(await longTurns(server)),
  ...(minutes >= levelMinutesMin ? growing() : tooMuch()),
];
await server.stop();

console.log({ ...counts, watched: ledger.watchedCount, acknowledged: ledger.acknowledgedCount });
for (const problem of problems.slice(0, 20)) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(
  `nothing was lost in ${minutes} minutes${minutes >= levelMinutesMin ? ', and all is level' : ''}`,
);

async function sample(): Promise<void> {
  const now = sampled(server, (performance.now() - startMs) / 60_000);
  samples.push(now);
  if (samples.length % 10 !== 1) return;
  const { minute, residentMiB, ownMiB, filesMiB, cpuSeconds } = now;
  const reported = [residentMiB, ownMiB, filesMiB, cpuSeconds].map((value) => value.toFixed(0).padStart(6));
  console.log(
    `${minute.toFixed(1)} min: RSS ${reported[0]} MiB, own ${reported[1]}, files ${reported[2]}, CPU ${reported[3]} s`,
  );
}

function tooMuch(): string[] {
  return (['ownMiB', 'filesMiB'] as const).flatMap((name) => {
    const most = Math.max(...samples.map((sample) => sample[name]));
    return most > shortRunMax[name] ? [`${name}: ${most.toFixed(1)}, more than ${shortRunMax[name]}`] : [];
  });
}

function growing(): string[] {
  const level = samples.filter(({ minute }) => minute >= minutes * warmUp);
  const courses = {
    ownMiB: level.map((one) => [one.minute, one.ownMiB] as const),
    residentMiB: level.map((one) => [one.minute, one.residentMiB] as const),
    filesMiB: level.map((one) => [one.minute, one.filesMiB] as const),
    cpuPercent: cpuPercents(level),
  };
  return Object.entries(courses).flatMap(([name, course]) => {
    const { grownBy, allowed, median, isGoingOn } = growthOf(course);
    const reported = `${name}: median ${median.toFixed(1)}, grows by ${grownBy.toFixed(1)}, allowed ${allowed.toFixed(1)}`;
    console.log(reported);
    return isGoingOn ? [reported] : [];
  });
}
