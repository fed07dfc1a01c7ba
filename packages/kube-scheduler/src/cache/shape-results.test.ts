import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../test/memory-cluster.ts';

const nodeCount = 150;
const containers = (cpu: string) => [{ name: 'c', image: 'i', resources: { requests: { cpu } } }];

/**
 * Full nodes on which pods of higher priority preempt others while nodes change. `label` determines whether the pods
 * are alike.
 */
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
    // Invalidates what was cached for these.
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

/** Places pods by score while nodes of many sizes are added, removed and changed. */
async function spreadPlacements(label: (index: number) => string): Promise<readonly (string | undefined)[]> {
  const cluster = new MemoryCluster();
  const sized = (name: string, cpu: number, more: object = {}) =>
    node(name, { allocatable: { cpu: String(cpu), memory: '32Gi', pods: '110' }, ...more });
  for (let index = 0; index < nodeCount; index++) cluster.setNode(sized(`n${index}`, 4 + (index % 7)));
  const names = Array.from({ length: 120 }, (_none, index) => `p${index}`);
  for (const [index, name] of names.entries()) {
    const plain = pod(name, { spec: { containers: containers('1') } });
    cluster.setPod({ ...plain, metadata: { ...plain.metadata, labels: { app: label(index) } } });
    if (index % 2 === 0) await cluster.settle();
    // The largest nodes are the emptiest: one is removed, and another reuses its slot.
    if (index % 20 === 7) cluster.removeNode(`n${index - 1}`);
    if (index % 20 === 9) cluster.setNode(sized(`new${index}`, 40));
    if (index === 61)
      for (let one = 0; one < 40; one++)
        cluster.setNode(sized(`n${one + 70}`, 60, { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] }));
  }
  await cluster.settle();
  return names.map((name) => cluster.nodeOf(name));
}

test('pods that are alike get the scores that pods nothing is kept for get', async () => {
  const kept = await spreadPlacements(() => 'web');
  const anew = await spreadPlacements((index) => `web-${index}`);

  expect(kept).toEqual(anew);
  expect(kept).toContain('new9');
});
