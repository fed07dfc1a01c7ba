/**
 * Writes `beside-original.json`, of which the page about performance is made, out of the lines of a comparison: the same work sent
 * to kube-apiserver and etcd of the original and to ours by turns, each line with `id`, `round`, `target`, `ops_per_cpu_s`, `errors`.
 *
 *     node scripts/node26.mjs bench/beside-original.ts RAW
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BesideOriginal } from '../scripts/site/results/beside-original.ts';

interface Line {
  readonly id: string;
  readonly round: number;
  readonly target: 'real' | 'coxswain';
  readonly ops_per_cpu_s: number;
  readonly errors: number;
}

/** With fewer pairs, the results mean nothing on a machine that is also doing other work. */
const pairsMin = 5;

const [raw] = process.argv.slice(2);
if (raw === undefined) throw new Error('name the file with the lines of a comparison');
const lines = readFileSync(raw, 'utf8')
  .trim()
  .split('\n')
  .map((line): Line => JSON.parse(line));
const steps = Object.entries(Object.groupBy(lines, ({ id }) => id)).flatMap(([id, ofStep = []]) => {
  const ratios = Object.values(Object.groupBy(ofStep, ({ round }) => round)).flatMap((pair = []) => {
    const of = (target: Line['target']) => pair.find((line) => line.target === target && line.errors === 0);
    const [ours, original] = [of('coxswain'), of('real')];
    // A step with errors has no valid ratio.
    return ours === undefined || original === undefined
      ? []
      : Number((ours.ops_per_cpu_s / original.ops_per_cpu_s).toPrecision(3));
  });
  return ratios.length < pairsMin ? [] : { id, ratios };
});
const results: BesideOriginal = {
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim(),
  machine: `${os.cpus().length} × ${os.cpus()[0]?.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GiB`,
  load: os.loadavg().map((load) => Math.round(load)),
  steps,
};
writeFileSync(
  path.join(import.meta.dirname, 'beside-original.json'),
  `${JSON.stringify(results, undefined, 2)}\n`,
);
