import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { KubeObject } from '@coxswain/apimachinery';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCluster } from '../testing/create-cluster.ts';
import { writeWhole } from '../program/write-whole.ts';
import { checkBackup, encodeBackup, objectsIn } from './backup-file.ts';
import { gatherObjects, type LeftOut } from './gather.ts';
import { Restorer } from './restore-objects.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'coxswain-backup-'));
  file = path.join(directory, 'all.jsonl');
});
afterEach(() => rmSync(directory, { recursive: true }));

type TestCluster = Awaited<ReturnType<typeof createCluster>>;

async function saved({ client }: TestCluster): Promise<LeftOut> {
  const leftOut: LeftOut = new Map();
  const about = { kubernetesVersion: 'v1.36.3', takenAt: '2026-01-01T00:00:00Z' };
  await writeWhole(file, encodeBackup(about, gatherObjects(client, leftOut)));
  return leftOut;
}

const restored = ({ client, clock }: TestCluster) =>
  new Restorer(client, clock).restore(objectsIn(file), new AbortController().signal);

const shop = `
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: orders.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: orders, singular: order, kind: Order }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
---
apiVersion: v1
kind: Secret
metadata: { name: password, namespace: shop }
stringData: { word: hunter2 }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx }] }
---
apiVersion: batch/v1
kind: Job
metadata: { name: once, namespace: shop, annotations: { sim.coxswain.io/duration: 1s } }
spec:
  template:
    spec: { restartPolicy: Never, containers: [{ name: c, image: busybox }] }
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: few, namespace: shop }
spec: { hard: { pods: '3' } }
`;

test('a backup of one cluster works in another, and changes nothing where everything exists', async () => {
  const one = await createCluster({ nodes: 1 });
  await one.apply(shop);
  await one.idle();
  const order = await one.client
    .resource('example.com/v1', 'orders')
    .namespace('shop')
    .create({
      apiVersion: 'example.com/v1',
      kind: 'Order',
      metadata: { name: 'first' },
    } as KubeObject);
  const { name, uid = '' } = order.metadata;
  // Its kind is restored before its owner's kind.
  await one.client
    .resource('v1', 'configmaps')
    .namespace('shop')
    .create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'of-the-order',
        ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Order', name: name ?? '', uid }],
      },
    } as KubeObject);

  const leftOut = await saved(one);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(leftOut.get('made by its controller')).toBeGreaterThanOrEqual(2);
  const { objects } = await checkBackup(file);

  const other = await createCluster({ nodes: 1 });
  const outcome = await restored(other);
  expect(outcome.failures).toEqual([]);
  expect(outcome.notes).toEqual([]);
  expect(outcome.restored + outcome.found).toBe(objects);
  await other.idle();

  const inShop = (apiVersion: string, resource: string) =>
    other.client.resource(apiVersion, resource).namespace('shop');
  const deployment = await inShop('apps/v1', 'deployments').get('web');
  expect(deployment).toMatchObject({ status: { availableReplicas: 2 } });
  const { items: sets } = await inShop('apps/v1', 'replicasets').list();
  expect(sets.map(({ metadata }) => metadata.ownerReferences?.[0]?.uid)).toEqual([deployment.metadata.uid]);
  const map = await inShop('v1', 'configmaps').get('of-the-order');
  const { metadata } = await inShop('example.com/v1', 'orders').get('first');
  expect(map.metadata.ownerReferences?.[0]?.uid).toBe(metadata.uid);
  expect(metadata.uid).not.toBe(uid);
  expect(await inShop('v1', 'secrets').get('password')).toMatchObject({ data: { word: 'aHVudGVyMg==' } });

  const again = await restored(other);
  expect(again).toMatchObject({ restored: 0, found: objects, failures: [] });
});

test('a Service whose address is taken gets another one, which is reported', async () => {
  const one = await createCluster({ nodes: 0 });
  await one.apply(shop);
  await saved(one);
  const web = await one.client.resource('v1', 'services').namespace('shop').get('web');
  const { clusterIP } = (web as KubeObject & { spec: { clusterIP: string } }).spec;

  const other = await createCluster({ nodes: 0 });
  await other.client
    .resource('v1', 'services')
    .namespace('default')
    .create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'taker' },
      spec: { clusterIP, ports: [{ port: 80 }] },
    } as KubeObject);
  const { failures, notes } = await restored(other);
  expect(failures).toEqual([]);
  expect(notes).toEqual([expect.stringContaining('services/shop/web: with another address or port')]);
});

test('damaged, cut off and foreign files are refused before anything is made', async () => {
  const one = await createCluster({ nodes: 0 });
  await saved(one);
  const text = readFileSync(file, 'utf8');
  const lines = text.trimEnd().split('\n');
  const refusals: readonly (readonly [string, string])[] = [
    [text.replace('default', 'defaulT'), 'its checksum is another one'],
    [`${lines.slice(0, -1).join('\n')}\n`, 'it is cut off'],
    [`${lines.slice(0, -1).join('\n')}\n{"objec`, 'a line is not JSON'],
    [`${text}{}\n`, 'something follows its end'],
    ['', 'is not a backup of Coxswain: it is empty'],
    ['apiVersion: v1\nkind: List\n', 'is not a backup of Coxswain: snapshots are restored with'],
    ['COXSNAP1\0\0', 'is not a backup of Coxswain'],
    [text.replace('backup/v1', 'backup/v9'), 'has the format coxswain.io/backup/v9'],
  ];
  for (const [content, message] of refusals) {
    writeFileSync(file, content);
    await expect(checkBackup(file)).rejects.toThrow(message);
  }
  await expect(checkBackup(`${file}.none`)).rejects.toThrow('no such file');
});
