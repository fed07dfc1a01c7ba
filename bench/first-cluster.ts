/**
 * What the first cluster of a process costs a user of the package, from `npm run build`:
 * `node bench/first-cluster.ts [processes, 5]`.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [processes = 5] = process.argv.slice(2).map(Number);
const library = pathToFileURL(path.join(import.meta.dirname, '../dist/npm/lib/testing.mjs')).href;

const script = `
const milliseconds = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const began = { cpu: milliseconds(), ms: performance.now() };
const { createCluster } = await import(${JSON.stringify(library)});
const imported = milliseconds();
const cluster = await createCluster({ seed: 1 });
const created = { cpu: milliseconds(), ms: performance.now() };
await cluster.stop();
console.log(JSON.stringify([imported - began.cpu, created.cpu - imported, created.ms - began.ms]));
`;

const times = Array.from({ length: processes }, () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return JSON.parse(output) as readonly number[];
});
const median = (column: number): string =>
  times
    .map((row) => row[column]!)
    .toSorted((a, b) => a - b)
    [processes >> 1]!.toFixed(0);
console.log(`CPU: import ${median(0)} ms, createCluster ${median(1)} ms; until it is there: ${median(2)} ms`);
