/**
 * As many pods on as many nodes as asked, in one process with everything that belongs to a cluster, and what each node,
 * lease and pod costs: `node --max-old-space-size=14000 bench/huge.ts [nodes, 1000] [pods, 10000] [seconds to settle, 60]`.
 * Figures are in decision 024. At the end it is checked that every pod runs, was bound once, and that no node has more than it can hold.
 */
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import {
  isStatusError,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  type KubeObject,
} from '@coxswain/apimachinery';
import type { Lease } from '@coxswain/api/coordination/v1/index.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { startCluster } from 'coxswain/cluster/cluster.ts';
import { giveBackFreeMemory } from 'coxswain/program/free-memory.ts';

const [nodes = 1_000, pods = 10_000, settleS = 60] = process.argv.slice(2).map(Number);
const replicasMax = 1_000;
/** The number of deployments that roll out concurrently. */
const abreast = 10;
const pollMs = 250;
const lookS = 30;
const pageSize = 5_000;
const requests = { cpu: '100m', memory: '64Mi' };

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
const cpuS = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const loopDelay = monitorEventLoopDelay({ resolution: 10 });
loopDelay.enable();

/**
 * How long garbage collection has stopped the program so far, in seconds. The collector's other threads only count in
 * the processor time.
 */
const collections = { minorS: 0, majorS: 0, major: 0 };
new PerformanceObserver((list) => {
  const entries: readonly { readonly duration: number; readonly detail?: unknown }[] = list.getEntries();
  for (const { duration, detail } of entries) {
    const { kind } = detail as { readonly kind: number };
    if (kind === constants.NODE_PERFORMANCE_GC_MINOR) collections.minorS += duration / 1000;
    else collections.majorS += duration / 1000;
    if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections.major++;
  }
}).observe({ entryTypes: ['gc'] });

/** The resources used so far. */
const usage = () => {
  const { rss, heapUsed, external } = process.memoryUsage();
  const systemS = process.cpuUsage().system / 1e6;
  return { s: performance.now() / 1000, cpuS: cpuS(), systemS, rss, heapUsed, external, ...collections };
};
type Usage = ReturnType<typeof usage>;

/** Reports live memory if the process may collect garbage: `--expose-gc`. */
const collect = globalThis.gc ?? (() => {});

/** The usage since `before`, with the cost of each of `count` things. */
function reported(phase: string, before: Usage, count: number, thing: string): string {
  const end = usage();
  const stallMs = loopDelay.max / 1e6;
  collect();
  const { rss, heapUsed, external } = usage();
  const now = { ...end, rss, heapUsed, external };
  const [s, cpu, bytes] = [now.s - before.s, now.cpuS - before.cpuS, now.rss - before.rss];
  loopDelay.reset();
  return (
    `${phase}: ${s.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU (${((cpu / count) * 1e6).toFixed(0)} µs a ${thing}), ` +
    `${(bytes / count / 1000).toFixed(1)} kB a ${thing}; resident ${mega(now.rss)}, heap ${mega(now.heapUsed)}, ` +
    `outside of it ${mega(now.external)}; longest turn ${stallMs.toFixed(0)} ms; ` +
    `system ${(now.systemS - before.systemS).toFixed(1)} s, collections ${(now.minorS - before.minorS).toFixed(1)} s ` +
    `and ${now.major - before.major} major in ${(now.majorS - before.majorS).toFixed(1)} s`
  );
}
const mega = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

const empty = usage();
// As `coxswain up` does.
giveBackFreeMemory();
const cluster = await startCluster({ nodes });
const client = cluster.client();
console.log(reported(`${nodes} nodes`, empty, nodes, 'node'));

/** All objects of a kind, page by page. If the revision is compacted meanwhile, it continues from the newest one. */
async function* all<T extends KubeObject>(version: string, resource: string): AsyncGenerator<T> {
  let continueFrom: string | undefined;
  do {
    const list = client.resource<T>(version, resource);
    const page = await list
      .list({ limit: pageSize, ...(continueFrom && { continue: continueFrom }) })
      .catch((failure: unknown) => {
        if (!isStatusError(failure, 'Expired')) throw failure;
        return { items: [], metadata: failure.status.metadata ?? {} };
      });
    yield* page.items;
    continueFrom = page.metadata.continue || undefined;
  } while (continueFrom !== undefined);
}

/** How long ago the most overdue node renewed its lease, in seconds. */
async function oldestLeaseS(): Promise<number> {
  let oldestMs = Date.now();
  for await (const { spec } of all<Lease & KubeObject>('coordination.k8s.io/v1', 'leases'))
    oldestMs = Math.min(oldestMs, Date.parse(spec?.renewTime ?? ''));
  return (Date.now() - oldestMs) / 1000;
}

/** Reports the cost while nothing happens but heartbeats. */
async function look(name: string): Promise<void> {
  const { revision, began } = { revision: cluster.storage.currentRevision, began: usage() };
  loopDelay.reset();
  await pause(lookS * 1000);
  const writes = cluster.storage.currentRevision - revision;
  const cores = (cpuS() - began.cpuS) / (usage().s - began.s);
  console.log(
    `${reported(name, began, writes, 'write')}; ${cores.toFixed(2)} cores, ${(writes / lookS).toFixed(0)} writes a second, ` +
      `oldest lease ${(await oldestLeaseS()).toFixed(1)} s`,
  );
}

const deployment = (name: string, replicas: number) => {
  const labels = { app: name };
  const spec = { containers: [{ name: 'c', image: 'nginx', resources: { requests } }] };
  const template = { metadata: { labels }, spec };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: { replicas, selector: { matchLabels: labels }, template },
  } as unknown as KubeObject;
};

async function fill(): Promise<void> {
  const deployments = client.resource<KubeObject>('apps/v1', 'deployments').namespace('default');
  const isAvailable = async (name: string, replicas: number): Promise<boolean> => {
    const { status } = (await deployments.get(name)) as { status?: { availableReplicas?: number } };
    return (status?.availableReplicas ?? 0) >= replicas;
  };
  const wanted = Array.from({ length: Math.ceil(pods / replicasMax) }, (_, index) => ({
    name: `web-${index}`,
    replicas: Math.min(replicasMax, pods - index * replicasMax),
  }));
  const began = usage();
  let [part, placed, shown] = [began, 0, 0];
  const rollOut = async (): Promise<void> => {
    for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
      const { name, replicas } = next;
      await deployments.create(deployment(name, replicas));
      while (!(await isAvailable(name, replicas))) await pause(pollMs);
      placed += replicas;
      if (placed - shown < pods / 10 || placed === pods) continue;
      console.log(reported(`  ${placed} pods`, part, placed - shown, 'pod'));
      [part, shown] = [usage(), placed];
    }
  };
  await Promise.all(Array.from({ length: abreast }, rollOut));
  console.log(reported(`${pods} pods`, began, pods, 'pod'));
}

const milli = (text: string): number => quantityMilliValue(parseQuantity(text));
const bytes = (text: string): number => quantityValue(parseQuantity(text));

/**
 * The number of pods that were bound, by the API server's count of successful responses: it refuses to bind a pod
 * twice.
 */
async function bindings(): Promise<number> {
  const response = await client.rest.send({ verb: 'GET', path: '/metrics' });
  const text = new TextDecoder().decode(await response.bytes());
  const counted = text
    .split('\n')
    .filter((line) => line.startsWith('apiserver_request_total{') && line.includes('subresource="binding"'));
  return counted
    .filter((line) => line.includes('code="201"'))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** @throws Error for the first thing that is wrong */
async function check(): Promise<void> {
  const podsOn = new Map<string, number>();
  let running = 0;
  for await (const { metadata, spec, status } of all<Pod & KubeObject>('v1', 'pods')) {
    if (status?.phase !== 'Running' || !spec?.nodeName) throw new Error(`${metadata.name} does not run`);
    running++;
    podsOn.set(spec.nodeName, (podsOn.get(spec.nodeName) ?? 0) + 1);
  }
  if (running !== pods) throw new Error(`${running} pods run, not ${pods}`);
  const bound = await bindings();
  if (bound !== pods) throw new Error(`${bound} bindings for ${pods} pods`);
  let known = 0;
  for await (const { metadata, spec, status } of all<Node & KubeObject>('v1', 'nodes')) {
    known++;
    const { cpu = '0', memory = '0', pods: room = '0' } = status?.allocatable ?? {};
    const there = podsOn.get(metadata.name!) ?? 0;
    const isOver =
      there > Number(room) ||
      there * milli(requests.cpu) > milli(cpu) ||
      there * bytes(requests.memory) > bytes(memory);
    if (isOver) throw new Error(`${metadata.name} is overcommitted`);
    if (spec?.taints?.length) throw new Error(`${metadata.name} was taken for lost`);
  }
  if (known !== nodes) throw new Error(`${known} nodes are there, not ${nodes}`);
  console.log(
    `checked: ${running} pods were bound once and run on ${podsOn.size} of ${known} nodes, none overcommitted, none taken for lost`,
  );
}

await look('nodes alone');
await fill();
await pause(settleS * 1000);
await look('steady');
await check();
await cluster.stop();
