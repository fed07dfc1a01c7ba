/**
 * What a deployment costs the all-in-one, from its creation until all replicas are available:
 * `node bench/deployment.ts [deployments, 1] [replicas of each, 1000] [nodes, 100]`.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import { startCluster } from 'coxswain/cluster/cluster.ts';

const [deployments = 1, replicas = 1_000, nodes = 100] = process.argv.slice(2).map(Number);
const pollMs = 20;

const seconds = (usage: NodeJS.CpuUsage): number => (usage.user + usage.system) / 1e6;
const megabytes = (): string => `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`;
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

const cluster = await startCluster({ nodes });
const client = cluster.client().resource<KubeObject>('apps/v1', 'deployments').namespace('default');
const labels = (index: number) => ({ app: `web-${index}` });
const deployment = (index: number) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `web-${index}` },
    spec: {
      replicas,
      selector: { matchLabels: labels(index) },
      template: {
        metadata: { labels: labels(index) },
        spec: { containers: [{ name: 'c', image: 'nginx' }] },
      },
    },
  }) as unknown as KubeObject;
const available = async (): Promise<number> => {
  const { items } = await client.list();
  return items.reduce(
    (sum, item) =>
      sum + ((item as { status?: { availableReplicas?: number } }).status?.availableReplicas ?? 0),
    0,
  );
};

await pause(2_000);
console.log(`${nodes} nodes: ${megabytes()}`);
const began = { ms: performance.now(), usage: process.cpuUsage() };
await Promise.all(Array.from({ length: deployments }, (_, index) => client.create(deployment(index))));
while ((await available()) < deployments * replicas) await pause(pollMs);
const cpu = seconds(process.cpuUsage(began.usage));
const wall = (performance.now() - began.ms) / 1000;
const pods = deployments * replicas;
console.log(
  `${deployments} × ${replicas} replicas available: ${wall.toFixed(2)} s, ${cpu.toFixed(2)} CPU-s, ` +
    `${((cpu / pods) * 1000).toFixed(2)} ms CPU a pod, ${megabytes()}`,
);
await cluster.stop();
