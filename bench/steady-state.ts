/**
 * What a large cluster costs the all-in-one while nothing happens in it but heartbeats:
 * `node bench/steady-state.ts [nodes, 5000] [deployments, 150] [replicas of each, 1000] [seconds looked at, 60]`.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import { startCluster } from 'coxswain/cluster/cluster.ts';

const [nodes = 5_000, deployments = 150, replicas = 1_000, lookS = 60] = process.argv.slice(2).map(Number);
/** The number of deployments that roll out concurrently. */
const abreast = 10;
const pollMs = 200;
/**
 * The wait after the last pod is available, so that the five minutes of history are of the steady state and garbage has
 * been collected.
 */
const settleMs = 330_000;

const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
const memory = (): string => {
  const { rss, heapUsed, external } = process.memoryUsage();
  const [resident, heap, outside] = [rss, heapUsed, external].map((bytes) => (bytes / 1e6).toFixed(0));
  return `resident ${resident} MB (heap ${heap} MB, outside ${outside} MB)`;
};

const cluster = await startCluster({ nodes });
const client = cluster.client();
const pods = client.resource<KubeObject>('v1', 'pods').namespace('default');
const resource = client.resource<KubeObject>('apps/v1', 'deployments').namespace('default');
const deployment = (name: string) => {
  const labels = { app: name };
  const spec = { containers: [{ name: 'c', image: 'nginx' }] };
  const template = { metadata: { labels }, spec };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template },
  } as unknown as KubeObject;
};
const isAvailable = async (name: string): Promise<boolean> => {
  const { status } = (await resource.get(name)) as { status?: { availableReplicas?: number } };
  return (status?.availableReplicas ?? 0) >= replicas;
};

await pause(5_000);
console.log(`${nodes} nodes: ${memory()}`);
const began = { usage: process.cpuUsage(), ms: performance.now() };
for (let first = 0; first < deployments; first += abreast) {
  const names = Array.from(
    { length: Math.min(abreast, deployments - first) },
    (_, index) => `web-${first + index}`,
  );
  await Promise.all(names.map((name) => resource.create(deployment(name))));
  for (const name of names) while (!(await isAvailable(name))) await pause(pollMs);
  const placed = (first + names.length) * replicas;
  const { usage, ms } = began;
  const cpuMs = (seconds(process.cpuUsage(usage)) / placed) * 1000;
  console.log(
    `${placed} pods after ${((performance.now() - ms) / 1000).toFixed(0)} s, ${cpuMs.toFixed(2)} ms CPU a pod: ${memory()}`,
  );
}
await pause(settleMs);
const look = { usage: process.cpuUsage(), ms: performance.now(), revision: cluster.storage.currentRevision };
await pause(lookS * 1000);
const wallS = (performance.now() - look.ms) / 1000;
const writes = (cluster.storage.currentRevision - look.revision) / wallS;
const cores = seconds(process.cpuUsage(look.usage)) / wallS;
const { metadata } = await pods.list({ limit: 1 });
console.log(
  `steady, ${1 + (metadata.remainingItemCount ?? 0)} pods: ${cores.toFixed(2)} of a core, ` +
    `${writes.toFixed(0)} writes a second, ${memory()}`,
);
await cluster.stop();
