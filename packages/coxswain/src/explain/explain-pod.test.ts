import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainPlacement, type Extender } from '@coxswain/kube-scheduler';
import { startCluster, type Cluster } from '../cluster/cluster.ts';
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
      {
        plugin: 'TaintToleration',
        reasons: ['node(s) had untolerated taint(s)'],
        facts: [{ kind: 'taint', taint: 'dedicated=db:NoSchedule' }],
      },
      {
        plugin: 'NodeResourcesFit',
        reasons: ['Insufficient cpu'],
        facts: [{ kind: 'shortage', resource: 'cpu', requested: '2', free: '1', allocatable: '1' }],
      },
    ],
    scores: {},
  });
  const text = renderPlacement(explained);
  expect(text).toContain('default/web has no node\nfits 1 of 2 nodes\n\nNODE   TOTAL  ');
  expect(text).toContain(
    '\nsmall: TaintToleration: node(s) had untolerated taint(s) (taint dedicated=db:NoSchedule)' +
      '\nsmall: NodeResourcesFit: Insufficient cpu (cpu: 2 requested, 1 of 1 free)\n',
  );
});

test('a gate holds a pod back before any node is looked at', async () => {
  const { heldBack } = await explain('gated');
  expect(heldBack).toEqual([
    { plugin: 'SchedulingGates', reasons: ['waiting for scheduling gates: [example.com/wait]'] },
  ]);
});

test("an extender's refusal of a node and its scores are shown", async () => {
  const extender = (fitting: boolean): Extender => ({
    name: 'http://extender',
    isIgnorable: false,
    isInterested: () => true,
    filter: async (_pod, nodes) => ({
      fitting: fitting ? nodes : [],
      failed: { large: 'no licence left' },
      unresolvable: {},
    }),
    prioritize: async () => new Map([['large', 70]]),
  });
  const asked = (fitting: boolean) =>
    explainPlacement({
      client: cluster.client(),
      namespace: 'default',
      name: 'web',
      extenders: [extender(fitting)],
    });

  expect((await asked(false)).nodes.find(({ node }) => node === 'large')).toMatchObject({
    refusals: [{ plugin: 'http://extender', reasons: ['no licence left'] }],
    scores: {},
  });
  expect((await asked(true)).nodes[0]?.scores['http://extender']).toBe(70);
});
