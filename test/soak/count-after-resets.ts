/**
 * Prints by how many objects a cluster grows in twenty resets: the median of three rounds, since timers of a minute make
 * single rounds differ by some twenty, up and down. It is warm after three others, in which tables reach their size. A
 * process of its own has no others to look through.
 *
 * `count-after-resets.ts [CONTROLLERS]`
 */
import { queryObjects } from 'node:v8';
import { createCluster } from 'coxswain/testing';

const controllers = process.argv[2]?.split(',');
await using cluster = await createCluster({ nodes: 2, seed: 1, ...(controllers && { controllers }) });

const changed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'changed' } };

async function resets(): Promise<void> {
  for (let reset = 0; reset < 20; reset++) {
    await cluster.apply(changed);
    await cluster.reset();
  }
}

/** All that is left once no garbage collection, and no turn in which finalizers run, frees anything more. */
async function liveObjects(): Promise<number> {
  for (let before = Infinity; ;) {
    const count = queryObjects(Object, { format: 'count' });
    if (count >= before) return count;
    before = count;
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

async function growth(): Promise<number> {
  const before = await liveObjects();
  await resets();
  return (await liveObjects()) - before;
}

for (let round = 0; round < 3; round++) await resets();
const rounds: number[] = [];
while (rounds.length < 3) rounds.push(await growth());
console.log(rounds.toSorted((a, b) => a - b)[1]);
