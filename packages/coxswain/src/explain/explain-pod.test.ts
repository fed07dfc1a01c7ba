import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainPlacement } from '@coxswain/kube-scheduler';
import { startCluster } from '../cluster.ts';
import type { Cluster } from '../cluster.ts';
import { applier } from '../testing/manifests.ts';
import { renderPlacement } from './render-placement.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: [], nodes: 0, scheduler: false });
  const { apply } = applier({
    client: cluster.client(),
    namespace: 'default',
    settle: () => Promise.resolve(),
  });
  await apply(`
apiVersion: v1
kind: Node
metadata: {name: large}
status: {allocatable: {cpu: "8", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: small}
spec: {taints: [{key: dedicated, value: db, effect: NoSchedule}]}
status: {allocatable: {cpu: "1", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: default}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "2"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: gated}
spec: {schedulingGates: [{name: example.com/wait}], containers: [{name: c, image: i}]}
`);
  const nodes = cluster.client().resource({ group: '', version: 'v1', resource: 'nodes' });
  for (const [name, cpu] of [
    ['large', '8'],
    ['small', '1'],
  ] as const) {
    const node = await nodes.get(name);
    await nodes.updateStatus({
      ...node,
      status: { allocatable: { cpu, memory: '8Gi', pods: '110' } },
    } as never);
    await nodes.patch(name, { spec: { taints: name === 'small' ? taints : [] } });
  }
});
const taints = [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }];
afterAll(() => cluster.stop());

const explain = (name: string) => explainPlacement({ client: cluster.client(), namespace: 'default', name });

test('every plugin that refuses a node says why, and the others are scored', async () => {
  const explained = await explain('web');
  expect(explained).toMatchObject({ pod: 'default/web', nodeName: '', heldBack: [] });
  const [best, other] = explained.nodes;
  expect(best).toMatchObject({ node: 'large', refusals: [] });
  expect(best?.total).toBe(Object.values(best?.scores ?? {}).reduce((sum, score) => sum + score, 0));
  expect(other).toMatchObject({
    node: 'small',
    refusals: [
      { plugin: 'TaintToleration', reasons: ['node(s) had untolerated taint(s)'] },
      { plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu'] },
    ],
    scores: {},
  });
  const text = renderPlacement(explained);
  expect(text).toContain('default/web has no node\nit fits 1 of 2 nodes\n\nNODE   TOTAL  ');
  expect(text).toContain(
    '\nsmall: TaintToleration: node(s) had untolerated taint(s)\nsmall: NodeResourcesFit: Insufficient cpu\n',
  );
});

test('a gate holds a pod back before any node is looked at', async () => {
  const { heldBack } = await explain('gated');
  expect(heldBack).toEqual([
    { plugin: 'SchedulingGates', reasons: ['waiting for scheduling gates: [example.com/wait]'] },
  ]);
});
