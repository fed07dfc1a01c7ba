/** Does what tests do out of a pack without bytecode, and writes the pack again with the bytecode of what ran. */

import { readFileSync, writeFileSync } from 'node:fs';
import { openPack } from '../../packages/coxswain/bin/kubectl.cjs';
import { packed, unpacked } from './pack-file.ts';

const template = (app: string, spec: object = {}, command: readonly string[] = []) => ({
  metadata: { labels: { app } },
  spec: { ...spec, containers: [{ name: app, image: app, command }] },
});

const manifests = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('web') },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work' },
    spec: { template: template('work', { restartPolicy: 'Never' }, ['sh', '-c', 'echo done']) },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { colour: 'blue' } },
];

const file = process.argv[2] ?? '';
const { load, scripts } = openPack(file, false);
const { assertEventuallyHas, createCluster } = load('testing.cjs');

// With a beginning out of the package, with the same once more, and with one that is made.
for (const nodes of [1, 1, 4]) {
  const cluster = await createCluster({ nodes, seed: 1 });
  await cluster.apply(manifests);
  await cluster.idle();
  await assertEventuallyHas(cluster, 'deployment/web', { status: { availableReplicas: 2 } });
  await cluster.remove(manifests);
  await cluster.clock.advance('1m');
  await cluster.reset();
  await cluster.stop();
}
const modules = unpacked(readFileSync(file)).map((module) => ({
  ...module,
  code: scripts.get(module.name)?.createCachedData() ?? module.code,
}));
writeFileSync(file, packed(modules));
process.exit();
