/**
 * A day on which everything goes wrong, as a function of a seed: nodes are lost, requests fail, watches break,
 * components restart, at steps that the seed chooses, while workloads are changed. After each step the invariants must
 * hold; at the end, when all is well again, the cluster must be what was asked for.
 */

import { seededRandom, type KubeObject, type Random } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { createCluster, type Fault, type TestCluster } from '../../packages/coxswain/src/testing/index.ts';
import { brokenInvariants, orphans } from './invariants.ts';
import { workloads, type Workloads } from './workloads.ts';

export interface StoryOutcome {
  readonly seed: number;
  /** What was done, in order. */
  readonly steps: readonly string[];
  /** What did not hold, and after which step; empty when all went well. */
  readonly broken: readonly string[];
  /** Of all that was ever stored. */
  readonly digest: string;
  /** What is there at the end, without what chance decides. */
  readonly end: string;
}

const stepCount = 12;
const nodeCount = 4;
/** How long a step may take of the cluster's time. */
const stepMsMax = 90_000;
const recoveryTime = '40m';

export async function chaosStory(seed: number): Promise<StoryOutcome> {
  const cluster = await createCluster({ nodes: nodeCount, seed });
  const random = seededRandom(seed);
  const steps: string[] = [];
  const broken: string[] = [];
  const check = async (after: string) => {
    for (const text of await brokenInvariants(cluster)) broken.push(`${after}: ${text}`);
  };
  try {
    const wanted = workloads();
    await cluster.apply(wanted.objects());
    for (let index = 0; index < stepCount; index++) {
      const step = `${index} ${await doSomething(cluster, wanted, random)}`;
      steps.push(step);
      await cluster.clock.advance(Math.floor(random.next() * stepMsMax));
      await check(step);
    }
    await recover(cluster);
    await cluster
      .eventually(() => wanted.areThere(cluster), { within: recoveryTime, every: '10s' })
      .catch((failure: unknown) => void broken.push(`the end: ${messageOf(failure)}`));
    await check('the end');
    for (const name of await orphans(cluster)) broken.push(`the end: ${name} is an orphan`);
    return {
      seed,
      steps,
      broken,
      digest: await cluster.history.digest(),
      end: await wanted.summary(cluster),
    };
  } finally {
    await cluster.stop();
  }
}

type Deed = (cluster: TestCluster, wanted: Workloads, random: Random) => Promise<string>;

const pick = <T>(values: readonly T[], random: Random): T =>
  values[Math.floor(random.next() * values.length)]!;

const deeds: readonly Deed[] = [
  async (cluster, _wanted, random) => {
    const node = pick(cluster.nodes.names, random);
    await cluster.nodes.fail(node);
    return `${node} is lost`;
  },
  async (cluster, _wanted, random) => {
    const node = pick(cluster.nodes.names, random);
    await cluster.nodes.recover(node);
    return `${node} is there again`;
  },
  async (cluster, _wanted, random) => {
    const component = pick(cluster.components.names, random);
    await cluster.components.restart(component);
    return `${component} restarts`;
  },
  async (cluster, _wanted, random) => {
    const fault = pick(faults, random);
    cluster.faults.add({ ...fault, probability: 0.05 + random.next() * 0.3, times: 40, user: '*' });
    return `${fault.action} for some of ${String(fault.resource)}`;
  },
  async (cluster) => {
    cluster.faults.clear();
    return 'requests go well again';
  },
  async (cluster, wanted, random) => {
    const text = wanted.change(random);
    await persistently(() => cluster.apply(wanted.objects()));
    return text;
  },
];

const faults: readonly Fault[] = [
  { action: 'error', code: 500, resource: ['pods', 'pods/status', 'pods/binding'] },
  { action: 'error', code: 503, resource: ['replicasets', 'replicasets/status', 'deployments/status'] },
  { action: 'conflict', resource: ['statefulsets/status', 'jobs/status', 'replicasets'] },
  { action: 'dropWatch', resource: '*', afterEvents: 2 },
  { action: 'latency', resource: 'pods', delay: '3s' },
  { action: 'lostAnswer', resource: 'pods' },
];

async function doSomething(cluster: TestCluster, wanted: Workloads, random: Random): Promise<string> {
  return pick(deeds, random)(cluster, wanted, random);
}

/** Whoever uses a cluster on such a day tries again. */
async function persistently(attempt: () => Promise<readonly KubeObject[]>): Promise<void> {
  const triesMax = 50;
  for (let count = 1; ; count++) {
    try {
      await attempt();
      return;
    } catch (failure) {
      if (count === triesMax) throw failure;
    }
  }
}

async function recover(cluster: TestCluster): Promise<void> {
  cluster.faults.clear();
  for (const node of cluster.nodes.names) await cluster.nodes.recover(node);
}
