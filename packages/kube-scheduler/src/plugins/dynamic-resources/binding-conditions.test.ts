import type { KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { MemoryCluster, node, pod } from '../../../test/memory-cluster.ts';

const driver = 'fabric.example.com';

/** One device that must first be attached to the node, and the pod `p` that requests it. */
function clusterOf(args: object = {}): MemoryCluster {
  const cluster = new MemoryCluster({
    profiles: [{ pluginConfig: [{ name: 'DynamicResources', args }] }],
  } as never);
  cluster.setNode(node('a'));
  const objects = [
    { kind: 'DeviceClass', metadata: { name: 'fabric' }, spec: {} },
    {
      kind: 'ResourceSlice',
      metadata: { name: 'a' },
      spec: {
        driver,
        nodeName: 'a',
        pool: { name: 'a', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'd', bindingConditions: ['Attached'], bindingFailureConditions: ['Broken'] }],
      },
    },
    {
      kind: 'ResourceClaim',
      metadata: { name: 'c', namespace: 'default', uid: 'uid-of-c', resourceVersion: '1' },
      spec: {
        devices: {
          requests: [
            {
              name: 'r',
              exactly: { deviceClassName: 'fabric', allocationMode: 'ExactCount', count: 1 },
            },
          ],
        },
      },
    },
  ];
  for (const object of objects) cluster.setObject(object as never);
  cluster.setPod(pod('p', { spec: { resourceClaims: [{ name: 'c', resourceClaimName: 'c' }] } }));
  return cluster;
}

const claimOf = (cluster: MemoryCluster) => cluster.tables.resourceClaim('default', 'c')!;

/** Writes a condition as the driver does. */
function report(cluster: MemoryCluster, type: string): void {
  const claim = claimOf(cluster);
  const conditions = [{ type, status: 'True', reason: 'Seen', message: 'as told' }];
  const devices = [{ driver, pool: 'a', device: 'd', conditions }];
  const version = Number(claim.metadata?.resourceVersion) + 1;
  const metadata = { ...claim.metadata, resourceVersion: String(version) };
  cluster.setObject({ ...claim, metadata, status: { ...claim.status, devices } } as KubeObject);
}

/** Runs everything that needs no time to pass; `settle` would wait for the driver. */
async function breathe(cluster: MemoryCluster): Promise<void> {
  await import('./device-selectors.ts');
  for (let turn = 0; turn < 20; turn++) {
    while (cluster.scheduler.scheduleNext());
    await new Promise(setImmediate);
  }
}

test('a pod is bound when the driver has reported that its device is attached', async () => {
  const cluster = clusterOf();
  await breathe(cluster);
  expect(claimOf(cluster).status?.reservedFor?.map(({ name }) => name)).toEqual(['p']);
  expect(cluster.nodeOf('p')).toBeUndefined();
  expect(cluster.events.join('\n')).toContain('waiting for binding conditions for device on node a');

  report(cluster, 'Attached');
  await cluster.clock.advance(5_000);
  await cluster.settle();

  expect(cluster.nodeOf('p')).toBe('a');
});

test('a device that failed is given back, and the pod tried again', async () => {
  const cluster = clusterOf();
  await breathe(cluster);
  report(cluster, 'Broken');
  await cluster.clock.advance(5_000);
  await breathe(cluster);

  expect(cluster.nodeOf('p')).toBeUndefined();
  expect(cluster.messageOf('p')).toContain(
    'running PreBind plugin "DynamicResources": device binding failed: claim=c, reason=Seen, message="as told"',
  );
  expect(claimOf(cluster).status?.reservedFor ?? []).toEqual([]);

  await cluster.clock.advance(2_000);
  await breathe(cluster);
  expect(cluster.messageOf('p')).toContain('deallocation of ResourceClaim completed');
});

test('a pod does not wait longer than the args of the plugin say', async () => {
  const cluster = clusterOf({ bindingTimeout: '1m' });
  await breathe(cluster);
  await cluster.clock.advance(66_000);
  await breathe(cluster);

  expect(cluster.nodeOf('p')).toBeUndefined();
  expect(cluster.events.join('\n')).toContain('device binding timeout: context deadline exceeded');
});
