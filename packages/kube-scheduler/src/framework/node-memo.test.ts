import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../test/memory-cluster.ts';

const nodeCount = 150;
const containers = (cpu: string) => [{ name: 'c', image: 'i', resources: { requests: { cpu } } }];

/** Full nodes, on which pods of higher priority make room while nodes change. `label` tells the pods apart, or not. */
async function placements(label: (index: number) => string): Promise<readonly (string | undefined)[]> {
  const cluster = new MemoryCluster();
  const names = Array.from({ length: nodeCount }, (_none, index) => `n${index}`);
  for (const name of names) cluster.setNode(node(name));
  for (const name of names)
    for (let index = 0; index < 4; index++)
      cluster.setPod(
        pod(`low-${name}-${index}`, { spec: { nodeName: name, containers: containers('900m') } }),
      );
  const high = Array.from({ length: 30 }, (_none, index) => `high-${index}`);
  for (const [index, name] of high.entries()) {
    const important = pod(name, { spec: { priority: 10, containers: containers('3') } });
    cluster.setPod({ ...important, metadata: { ...important.metadata, labels: { app: label(index) } } });
    if (index % 3 === 0) await cluster.settle();
    // What was known of these no longer holds.
    if (index === 9)
      for (const one of names.slice(0, 50)) cluster.setNode(node(one, { spec: { unschedulable: true } }));
    if (index === 15)
      for (const one of names.slice(50, 90)) cluster.setNode(node(one, { allocatable: { cpu: '2' } }));
    if (index === 21) for (const one of names.slice(90, 95)) cluster.finish(`low-${one}-0`);
  }
  await cluster.settle();
  return high.map((name) => cluster.nodeOf(name));
}

test('pods that are alike go where pods that nothing is kept for go', async () => {
  const kept = await placements(() => 'web');
  const anew = await placements((index) => `web-${index}`);

  expect(kept).toEqual(anew);
  expect(kept.filter((name) => name === undefined)).toEqual([]);
});
