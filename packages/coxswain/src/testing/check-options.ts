/** What is wrong with the options of a cluster, for those whose compiler does not tell them. */

import type { CreateClusterOptions } from './create-cluster.ts';

const known = {
  controllers: true,
  nodes: true,
  stages: true,
  scheduler: true,
  featureGates: true,
  versions: true,
  clock: true,
  startTime: true,
  seed: true,
  namespace: true,
  log: true,
} satisfies Record<keyof CreateClusterOptions, true>;

/** @throws TypeError for options that there are not, and for values that cannot be meant */
export function checkOptions(options: CreateClusterOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    throw new TypeError(
      `createCluster has no option "${unknown}"; there are ${Object.keys(known).join(', ')}`,
    );
  const { clock = 'virtual', seed = 0, startTime = 0, nodes = 1 } = options;
  if (clock !== 'virtual' && clock !== 'system')
    throw new TypeError(`clock is "virtual" or "system", not ${JSON.stringify(clock)}`);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32)
    throw new TypeError(`seed is a whole number from 0 to ${2 ** 32 - 1}, not ${JSON.stringify(seed)}`);
  if (Number.isNaN(new Date(startTime).getTime()))
    throw new TypeError(
      `startTime is a Date or such a text as 2026-01-01T12:00:00Z, not "${String(startTime)}"`,
    );
  if (typeof nodes === 'number' ? !Number.isInteger(nodes) || nodes < 0 : !Array.isArray(nodes))
    throw new TypeError(`nodes is how many there are, or a list of them, not ${JSON.stringify(nodes)}`);
}
