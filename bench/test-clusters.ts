/**
 * What clusters of the test library cost: `node --expose-gc bench/test-clusters.ts [one after the other] [side by side]`.
 */
import { createCluster } from 'coxswain/testing';

const [inTurn = 1000, sideBySide = 100] = process.argv.slice(2).map(Number);
const looks = 5;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const memory = (): string => {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return `heap ${megabytes(heapUsed)}, resident ${megabytes(rss)}`;
};

const timesMs: number[] = [];
const usage = process.cpuUsage();
for (let count = 1; count <= inTurn; count++) {
  const beganMs = performance.now();
  const cluster = await createCluster({ seed: count });
  timesMs.push(performance.now() - beganMs);
  await cluster.stop();
  if (count % Math.ceil(inTurn / looks) === 0) console.log(`after ${count}: ${memory()}`);
}
const { user, system } = process.cpuUsage(usage);
const sorted = timesMs.slice(1).toSorted((a, b) => a - b);
console.log(`the first one: ${timesMs[0]?.toFixed(0)} ms`);
console.log(
  `the others: median ${sorted[sorted.length >> 1]?.toFixed(1)} ms, fastest ${sorted[0]?.toFixed(1)} ms`,
);
console.log(`CPU for each, its stop included: ${((user + system) / 1000 / inTurn).toFixed(1)} ms`);

const before = process.memoryUsage().rss;
const clusters = [];
for (let count = 0; count < sideBySide; count++) clusters.push(await createCluster({ seed: count }));
console.log(`${sideBySide} side by side: ${memory()} (${megabytes(before)} before)`);
for (const cluster of clusters) await cluster.stop();
