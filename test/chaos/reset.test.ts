/**
 * Nothing that a component had in mind outlives a reset: whatever was done before, the cluster goes on as another one
 * does that begins with the same objects at the same time.
 */
import { seededRandom, type KubeObject, type Random } from '@coxswain/apimachinery';
import { discoveryClient } from '@coxswain/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createCluster,
  type TestCluster,
  type TestSnapshot,
} from '../../packages/coxswain/src/testing/index.ts';

const seeds = [1, 2];
const deedCount = 6;
const stepMsMax = 12 * 60_000;
const afterwards = '15m';

let cluster: TestCluster;
let busy: TestSnapshot;

beforeAll(async () => {
  cluster = await createCluster({ nodes: 2, seed: 7 });
  await cluster.apply(everything);
  await cluster.clock.advance('3m');
  busy = cluster.snapshot();
}, 60_000);
afterAll(() => cluster.stop());

test.each(seeds)(
  'after a reset, a cluster goes on as a new one would: seed %i',
  async (seed) => {
    const reported = await misfortunes(seededRandom(seed));

    await cluster.reset(busy);
    await using fresh = await cluster.fork(busy);
    await cluster.clock.advance(afterwards);
    await fresh.clock.advance(afterwards);

    const [own, others] = [await outcomeOf(cluster), await outcomeOf(fresh)];
    expect(own, reported.join('\n')).toEqual(others);
    expect(own.get('Node node-0')).toContain('KubeletReady');
    expect([...own.values()].join()).not.toContain('node.kubernetes.io/unreachable","effect":"NoExecute"}');
  },
  120_000,
);

test('nodes that are well stay ready after a reset, minute by minute', async () => {
  await cluster.clock.advance('20m');
  await cluster.reset();
  for (let minute = 0; minute < 10; minute++) {
    await cluster.clock.advance('1m');
    const { items } = await cluster.client.resource<NodeObject>('v1', 'nodes').list();
    expect(items).toHaveLength(2);
    for (const { spec, status } of items) {
      expect(spec?.taints ?? []).toEqual([]);
      expect(status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True' });
    }
  }
}, 60_000);

interface NodeObject extends KubeObject {
  readonly spec?: { readonly taints?: readonly object[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** @returns what was done */
async function misfortunes(random: Random): Promise<readonly string[]> {
  const reported: string[] = [];
  for (let count = 0; count < deedCount; count++) {
    const deed = deeds[Math.floor(random.next() * deeds.length)]!;
    reported.push(await deed(random));
    await cluster.clock.advance(Math.floor(random.next() * stepMsMax));
  }
  return reported;
}

const pick = <T>(values: readonly T[], random: Random): T =>
  values[Math.floor(random.next() * values.length)]!;

const deeds: readonly ((random: Random) => Promise<string>)[] = [
  async (random) => {
    const name = pick(cluster.nodes.names, random);
    await cluster.nodes.fail(name);
    return `${name} is lost`;
  },
  async (random) => {
    const { names } = cluster.nodes;
    if (names.length < 2) return `${await cluster.nodes.add()} is new`;
    const name = pick(names, random);
    await cluster.nodes.remove(name);
    return `${name} is gone`;
  },
  async (random) => {
    const object = pick(everything, random);
    await cluster.remove(object);
    return `${object.kind} ${object.metadata.name} is deleted`;
  },
  async () => {
    const pods = cluster.client.resource('v1', 'pods').namespace('default');
    for (const { metadata } of (await pods.list()).items)
      await pods.delete(metadata.name!, { gracePeriodSeconds: 0 });
    return 'all pods are deleted';
  },
  async (random) => {
    const name = pick(cluster.components.names, random);
    await cluster.components.stop(name);
    return `${name} stops`;
  },
  async (random) => {
    const image = `web:${Math.floor(random.next() * 100)}`;
    await cluster.apply({ ...deployment, spec: { ...deployment.spec, template: template('web', image) } });
    return `web is to run ${image}`;
  },
];

/** What is there, without what depends on chance and on the moment. */
async function outcomeOf({ client }: TestCluster): Promise<ReadonlyMap<string, string>> {
  const { resources } = await discoveryClient(client.rest).discover();
  const listed = resources.filter(({ verbs, resource }) => verbs.includes('list') && !leftOut.has(resource));
  const outcome = new Map<string, string>();
  for (const resource of listed)
    for (const object of (await client.resource(resource).list()).items)
      outcome.set(`${resource.kind} ${object.metadata.name}`, timeless(object));
  return outcome;
}

/** Those that tell of moments, and those whose names are up to chance. */
const leftOut: ReadonlySet<string> = new Set(['events', 'leases', 'nodes.metrics', 'pods.metrics']);

function timeless(object: KubeObject): string {
  const {
    managedFields: _managed,
    resourceVersion: _version,
    generation: _generation,
    ...metadata
  } = object.metadata;
  return JSON.stringify({ ...object, metadata }).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"TIME"');
}

const meta = (name: string) => ({ name, namespace: 'default' });

const template = (app: string, image: string, more: object = {}) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image, resources: { requests: { cpu: '100m' } } }], ...more },
});

const workload = (kind: string, app: string, spec: object) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: meta(app),
  spec: { selector: { matchLabels: { app } }, template: template(app, `${app}:1`), ...spec },
});

const deployment = workload('Deployment', 'web', { replicas: 4 });

/** Something for each controller to look after. */
const everything: readonly KubeObject[] = [
  deployment,
  workload('StatefulSet', 'db', { replicas: 2, serviceName: 'db' }),
  workload('DaemonSet', 'agent', {}),
  workload('ReplicaSet', 'bare', { replicas: 1 }),
  {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: meta('old'),
    spec: { replicas: 1, selector: { app: 'old' }, template: template('old', 'old:1') },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: meta('fails'),
    spec: {
      backoffLimit: 2,
      template: {
        metadata: { annotations: { 'sim.coxswain.io/run': 'fail:3:5s' } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'work:1' }] },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta('web'),
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  },
  { apiVersion: 'v1', kind: 'ResourceQuota', metadata: meta('quota'), spec: { hard: { pods: '40' } } },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: meta('web'),
    spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: meta('web'),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 4,
      maxReplicas: 6,
    },
  },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: meta('robot') },
] as readonly KubeObject[];
