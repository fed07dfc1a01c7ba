import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../../test/memory-cluster.ts';

const zone = 'topology.kubernetes.io/zone';
const inZone = (name: string, value: string) => node(name, { labels: { [zone]: value } });
const labels = { app: 'web' };

const constraint = (more: object = {}) => ({
  maxSkew: 1,
  topologyKey: zone,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: labels },
  ...more,
});

async function spread(cluster: MemoryCluster, count: number, more: object = {}) {
  for (let index = 0; index < count; index++) {
    cluster.setPod(
      pod(`p${index}`, { metadata: { labels }, spec: { topologySpreadConstraints: [constraint(more)] } }),
    );
    await cluster.settle();
  }
}

function cluster(...nodes: Parameters<MemoryCluster['setNode']>[0][]) {
  const made = new MemoryCluster();
  for (const one of nodes) made.setNode(one);
  return made;
}

const zonesOf = (made: MemoryCluster, count: number) =>
  Array.from({ length: count }, (_, index) => made.nodeOf(`p${index}`)).sort();

test('pods take turns over the zones', async () => {
  const made = cluster(inZone('a', 'z1'), inZone('b', 'z2'), inZone('c', 'z3'));
  await spread(made, 6);

  expect(zonesOf(made, 6)).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
});

test('a pod that would make the skew too large is refused, which preemption could change', async () => {
  const made = cluster(
    inZone('a', 'z1'),
    node('b', { labels: { [zone]: 'z2' }, spec: { unschedulable: true } }),
  );
  await spread(made, 2);

  expect(made.nodeOf('p0')).toBe('a');
  expect(made.messageOf('p1')).toContain(
    "1 node(s) didn't match pod topology spread constraints, 1 node(s) were unschedulable",
  );
});

test('a node without the label is no place', async () => {
  const made = cluster(node('a'));
  await spread(made, 1);

  expect(made.messageOf('p0')).toContain(
    "1 node(s) didn't match pod topology spread constraints (missing required label)",
  );
});

test('with fewer domains than asked for, no domain takes more than the allowed skew', async () => {
  const made = cluster(inZone('a', 'z1'));
  await spread(made, 2, { minDomains: 2 });

  expect([made.nodeOf('p0'), made.nodeOf('p1')]).toEqual(['a', undefined]);
});

test('tainted nodes count unless the constraint honours taints', async () => {
  const tainted = node('b', { labels: { [zone]: 'z2' }, taints: [{ key: 'k', effect: 'NoSchedule' }] });
  const ignoring = cluster(inZone('a', 'z1'), tainted);
  await spread(ignoring, 2);
  const honouring = cluster(inZone('a', 'z1'), tainted);
  await spread(honouring, 2, { nodeTaintsPolicy: 'Honor' });

  expect(ignoring.nodeOf('p1')).toBeUndefined();
  expect(honouring.nodeOf('p1')).toBe('a');
});

test('a refused pod is tried again when another of its kind leaves', async () => {
  const made = cluster(
    inZone('a', 'z1'),
    node('b', { labels: { [zone]: 'z2' }, spec: { unschedulable: true } }),
  );
  await spread(made, 2);
  made.finish('p0');
  await made.settle();

  expect(made.nodeOf('p1')).toBe('a');
});

test('pods of a service spread over hosts although they say nothing', async () => {
  const made = cluster(node('a'), node('b'), node('c'));
  made.setObject({
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: labels },
  } as never);
  for (let index = 0; index < 6; index++) {
    made.setPod(pod(`p${index}`, { metadata: { labels } }));
    await made.settle();
  }

  expect(zonesOf(made, 6)).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
});
