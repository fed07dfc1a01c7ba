/**
 * What snapshot, reset and fork of a whole cluster in this process cost, with its controllers running:
 * `node bench/cluster-reset.ts [objects]`.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import { startCluster } from 'coxswain/cluster/cluster.ts';

const objects = Number(process.argv[2] ?? 100_000);
/** The number of objects changed between two resets, as a test would. */
const changed = 100;
const rounds = 8;
const atOnce = 64;
const text = 'x'.repeat(1024);

const cluster = await startCluster({ nodes: 1 });
const maps = cluster.client().resource('v1', 'configmaps').namespace('default');
const put = (name: string) =>
  maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } } as KubeObject);

const timed = async (what: string, run: () => unknown): Promise<void> => {
  const beganMs = performance.now();
  await run();
  console.log(`${what.padEnd(58)} ${(performance.now() - beganMs).toFixed(2).padStart(9)} ms`);
};

await timed(`create ${objects} objects`, async () => {
  const names = Array.from({ length: objects }, (_, index) => `c-${index}`).values();
  const work = async () => {
    for (const name of names) await put(name);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
});
// Lets the controllers receive all objects first.
await new Promise((resolve) => void setTimeout(resolve, 2_000));
let snapshot = cluster.snapshot();
await timed('snapshot', () => (snapshot = cluster.snapshot()));
for (let round = 0; round < rounds; round++) {
  for (let index = 0; index < changed / 2; index++) {
    await put(`new-${index}`);
    await maps.delete(`c-${(round * changed + index * 7) % objects}`);
  }
  await timed(`reset after ${changed} changes`, () => cluster.reset(snapshot));
}
let fork = await cluster.fork();
await fork.stop();
await timed(
  'fork, until its controllers have filled their caches',
  async () => (fork = await cluster.fork()),
);
await fork.stop();
await cluster.stop();
