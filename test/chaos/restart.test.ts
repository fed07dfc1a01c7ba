/**
 * What simulated nodes keep in memory is found again after a restart: pods go on as if nobody had restarted anything.
 */
import { seededRandom, type KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, test } from 'vitest';
import { createCluster, type TestCluster } from '../../packages/coxswain/src/testing/index.ts';

const seeds = [1, 2, 3];
const stepMs = 13_000;
const restartAfterMs = 8_000;

test.each(seeds)(
  'a restart of everything, at any moment, changes nothing for pods: seed %i',
  async (seed) => {
    const random = seededRandom(seed);
    const complaints: string[] = [];
    const undisturbed = await story(seed, async () => undefined);
    const restarted = await story(
      seed,
      async (cluster) => {
        if (random.next() < 0.4) await cluster.reset(cluster.snapshot());
        else if (random.next() < 0.3) await cluster.components.restart('kubelets');
      },
      complaints,
    );

    expect(restarted).toEqual(undisturbed);
    expect(complaints).toEqual([]);
  },
  60_000,
);

/** @returns how the pods are after each step */
async function story(
  seed: number,
  disturb: (cluster: TestCluster) => Promise<void>,
  complaints: string[] = [],
): Promise<readonly unknown[]> {
  await using cluster = await createCluster({ nodes: 1, seed, log: (line) => complaints.push(line) });
  const seen: unknown[] = [];
  const beganMs = cluster.clock.now();
  // A restart takes some of the cluster's time.
  const until = (ms: number) => cluster.clock.advance(beganMs + ms - cluster.clock.now());
  for (const [index, pod] of [...pods, undefined, undefined, undefined].entries()) {
    if (pod !== undefined) await cluster.apply({ ...pod, metadata: { ...pod.metadata, name: `p${index}` } });
    await until(index * stepMs + restartAfterMs);
    const before = await containerIds(cluster);
    await disturb(cluster);
    expect(await containerIds(cluster)).toEqual(before);
    await until((index + 1) * stepMs);
    const there = await podsOf(cluster);
    const living = there.filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending');
    const addresses = living.map(({ status }) => status?.podIP).filter((ip) => ip !== undefined);
    expect(new Set(addresses).size).toBe(addresses.length);
    seen.push(await Promise.all(there.map((one) => outcome(cluster, one))));
  }
  return seen;
}

const podsOf = async ({ client }: TestCluster): Promise<readonly (Pod & KubeObject)[]> =>
  (await client.resource<Pod & KubeObject>('v1', 'pods').namespace('default').list()).items;

const containerIds = async (cluster: TestCluster): Promise<ReadonlyMap<string, string | undefined>> =>
  new Map(
    (await podsOf(cluster)).map(({ metadata, status }) => [
      metadata.name ?? '',
      status?.containerStatuses?.[0]?.containerID,
    ]),
  );

/** Without what chance decides. */
async function outcome(cluster: TestCluster, { metadata, status }: Pod & KubeObject): Promise<unknown> {
  const { podIP, startTime, phase, containerStatuses = [] } = status ?? {};
  const [{ state, lastState, restartCount, ready } = {}] = containerStatuses;
  const states = JSON.stringify({ state, lastState }).replaceAll(/containerd:..\w+|\([0-9a-f-]{36}\)/g, 'ID');
  const isUp = state?.running !== undefined && state.running !== null;
  const log = isUp ? await cluster.logs(`pod/${metadata.name}`) : undefined;
  return { name: metadata.name, podIP, startTime, phase, restartCount, ready, states, log };
}

const pod = (spec: object, annotations: Readonly<Record<string, string>> = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: '', annotations },
    spec: { restartPolicy: 'Never', ...spec },
  }) as KubeObject;

const running = (command?: readonly string[]) => ({ containers: [{ name: 'c', image: 'nginx', command }] });
const script = (text: string) => running(['sh', '-c', text]);

const pods: readonly KubeObject[] = [
  pod(running()),
  pod(running(), { 'sim.coxswain.io/run': 'succeed:20s' }),
  pod({ containers: [{ name: 'c', image: 'missing:404' }] }),
  pod({ ...running(), restartPolicy: 'Always' }, { 'sim.coxswain.io/run': 'fail:3:5s' }),
  pod(running(['sleep', '50'])),
  pod(script('echo a; sleep 20; if true; then echo b; fi; sleep 20; exit 3')),
  pod({ ...running(), initContainers: [{ name: 'i', image: 'nginx', command: ['sleep', '30'] }] }),
  pod(script('while true; do date; sleep 5; done')),
  pod(running()),
];
