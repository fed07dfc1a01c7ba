/** Prints by how many objects a cluster grows in twenty resets. A process of its own has no others to look through. */
import { queryObjects } from 'node:v8';
import { createCluster } from 'coxswain/testing';

await using cluster = await createCluster({ nodes: 2, seed: 1 });

const changed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'changed' } };

async function resets(): Promise<void> {
  for (let reset = 0; reset < 20; reset++) {
    await cluster.apply(changed);
    await cluster.reset();
  }
}

/** All that is left after a garbage collection, and a turn in which finalizers run. */
async function liveObjects(): Promise<number> {
  queryObjects(Object, { format: 'count' });
  await new Promise((resolve) => void setImmediate(resolve));
  return queryObjects(Object, { format: 'count' });
}

await resets();
const before = await liveObjects();
await resets();
console.log((await liveObjects()) - before);
