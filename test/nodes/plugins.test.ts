/** Drivers and devices of other programs, in real containers, where containerd is installed. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { VolumeAttachment } from '@coxswain/api/storage/v1/volume-attachment.ts';
import { startClaimDriver } from '../../packages/kubelet/test/claim-driver.ts';
import { startCsiDriver, type CsiDriver } from '../../packages/kubelet/test/csi-driver.ts';
import { startDevicePlugin } from '../../packages/kubelet/test/device-plugin.ts';
import { whyNoContainers } from './containerd.ts';
import { nodeName, startOneRealNode, type OneRealNode } from './one-real-node.ts';
import { isRunning, scriptPod } from './script-pod.ts';

const why = whyNoContainers();
const containerTest = test.skipIf(why !== undefined);
const patienceMs = 90_000;
const driverName = 'directory.csi.example.com';
const inUse = `kubernetes.io/csi/${driverName}^vol-1`;
let node: OneRealNode;
let driver: CsiDriver;
let driverDirectory: string;

beforeAll(async () => {
  if (why !== undefined) return;
  node = await startOneRealNode();
  driverDirectory = path.join(node.containerd.directory, 'csi-driver');
  driver = await startCsiDriver({
    directory: driverDirectory,
    registry: path.join(node.rootDirectory, 'plugins_registry'),
    name: driverName,
    nodeId: 'node-1',
    volumesMax: 7,
    topology: { 'example.com/rack': 'r1' },
    capabilities: ['stageUnstage', 'volumeStats'],
    mounts: true,
  });
}, patienceMs);
afterAll(async () => {
  await driver?.stop();
  await node?.stop();
}, patienceMs);

async function eventually<T>(read: () => Promise<T>, isAsWanted: (value: T) => boolean): Promise<T> {
  const endMs = performance.now() + 30_000;
  for (;;) {
    const value = await read();
    if (isAsWanted(value)) return value;
    if (performance.now() > endMs)
      throw new Error(`not as wanted: ${JSON.stringify(value)}\n${node.lines.slice(-20).join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const resource = (apiVersion: string, plural: string) =>
  node.client.resource<KubeObject & Record<string, unknown>>(apiVersion, plural);
const create = (apiVersion: string, plural: string, kind: string, name: string, more: object) =>
  resource(apiVersion, plural).create({ apiVersion, kind, metadata: { name }, ...more } as never);
const nodeObject = () => node.client.resource<Node & KubeObject>('v1', 'nodes').get(nodeName);
const mountsOfNode = () =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`${node.rootDirectory}/`) && line.includes('csi'));

/** What the sidecar of a driver does that attaches volumes. */
async function attach(): Promise<void> {
  const attachments = node.client.resource<VolumeAttachment & KubeObject>(
    'storage.k8s.io/v1',
    'volumeattachments',
  );
  const [found] = await eventually(
    async () => (await attachments.list()).items,
    (items) => items.length > 0,
  );
  await attachments.patch(
    found!.metadata.name!,
    { status: { attached: true, attachmentMetadata: { slot: '3' } } },
    { type: 'merge', subresource: 'status' },
  );
}

containerTest(
  'a volume of a CSI driver is attached, mounted, survives its kubelet, and is detached when its pod is gone',
  async () => {
    const csiNode = await eventually(
      () => resource('storage.k8s.io/v1', 'csinodes').get(nodeName),
      ({ spec }) => (spec as { drivers: unknown[] | null }).drivers?.length === 1,
    );
    expect(csiNode['spec']).toEqual({
      drivers: [
        {
          name: driverName,
          nodeID: 'node-1',
          topologyKeys: ['example.com/rack'],
          allocatable: { count: 7 },
        },
      ],
    });
    const { metadata } = await nodeObject();
    expect(metadata.labels).toMatchObject({ 'example.com/rack': 'r1' });
    expect(metadata.annotations?.['csi.volume.kubernetes.io/nodeid']).toBe(`{"${driverName}":"node-1"}`);
    await create('storage.k8s.io/v1', 'csidrivers', 'CSIDriver', driverName, {
      spec: { podInfoOnMount: true, volumeLifecycleModes: ['Persistent', 'Ephemeral'] },
    });
    await create('v1', 'persistentvolumes', 'PersistentVolume', 'pv1', {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'default', name: 'data' },
        csi: { driver: driverName, volumeHandle: 'vol-1' },
      },
    });
    await resource('v1', 'persistentvolumeclaims')
      .namespace('default')
      .create({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: '',
          volumeName: 'pv1',
          resources: { requests: { storage: '1Gi' } },
        },
      } as never);
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
    const volumeMounts = [{ name: 'v', mountPath: '/data' }];
    await node.create(
      scriptPod('disk', 'echo kept > /data/file; exec sleep 1000', { volumes }, { volumeMounts }),
    );
    await attach();
    await node.until('disk', isRunning, 'running');
    const held = await nodeObject();
    expect(held.status?.volumesInUse).toEqual([inUse]);
    expect(held.status?.volumesAttached).toEqual([{ name: inUse, devicePath: '' }]);
    expect(driver.calls.find(({ method }) => method === 'nodeStageVolume')?.request).toMatchObject({
      publishContext: { slot: '3' },
    });
    expect(await node.exec('disk', 'cat /data/file')).toEqual({ code: 0, output: 'kept\n' });
    expect(readFileSync(path.join(driverDirectory, 'volumes/vol-1/file'), 'utf8')).toBe('kept\n');
    const summary = (await (await node.kubelet().usage()).summary()) as {
      pods: readonly { podRef: { name: string }; volume?: readonly object[] }[];
    };
    expect(summary.pods.find(({ podRef }) => podRef.name === 'disk')?.volume).toContainEqual(
      expect.objectContaining({
        name: 'v',
        pvcRef: { name: 'data', namespace: 'default' },
        capacityBytes: 1000,
        usedBytes: 400,
        inodes: 50,
      }),
    );
    await node.restartKubelet();
    await eventually(nodeObject, ({ status }) => status?.volumesInUse?.[0] === inUse);
    expect(await node.exec('disk', 'cat /data/file')).toEqual({ code: 0, output: 'kept\n' });
    await node.remove('disk');
    expect(mountsOfNode()).toEqual([]);
    expect(driver.steps().slice(-2)).toEqual(['nodeUnpublishVolume', 'nodeUnstageVolume']);
    await eventually(
      async () => (await resource('storage.k8s.io/v1', 'volumeattachments').list()).items,
      (items) => items.length === 0,
    );
    const freed = await eventually(nodeObject, ({ status }) => !status?.volumesAttached?.length);
    expect(freed.status?.volumesInUse ?? []).toEqual([]);
  },
  patienceMs,
);

containerTest(
  'a pod’s own volume of a driver comes and goes with it; without its driver the pod waits and says why',
  async () => {
    const volume = (name: string) => [
      { name: 'v', csi: { driver: name, volumeAttributes: { kind: 'tiny' } } },
    ];
    const volumeMounts = [{ name: 'v', mountPath: '/data' }];
    await node.create(
      scriptPod('own', 'touch /data/x; exec sleep 1000', { volumes: volume(driverName) }, { volumeMounts }),
    );
    await node.until('own', isRunning, 'running');
    expect(driver.calls.findLast(({ method }) => method === 'nodePublishVolume')?.request).toMatchObject({
      volumeContext: {
        kind: 'tiny',
        'csi.storage.k8s.io/pod.name': 'own',
        'csi.storage.k8s.io/ephemeral': 'true',
      },
    });
    await node.remove('own');
    expect(mountsOfNode()).toEqual([]);
    await node.create(
      scriptPod('lost', 'exec sleep 1000', { volumes: volume('nowhere.example.com') }, { volumeMounts }),
    );
    const events = await eventually(
      () => node.events('lost'),
      (all) => all.some((each) => each.startsWith('FailedMount')),
    );
    expect(events).toContainEqual(
      'FailedMount: MountVolume.SetUp failed for volume "v" : kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name nowhere.example.com not found in the list of registered CSI drivers',
    );
    await node.remove('lost');
  },
  patienceMs,
);

containerTest(
  'devices of a plugin become the node’s, a container gets its own, and what is not there is refused',
  async () => {
    const gadgets = await startDevicePlugin({
      directory: path.join(node.rootDirectory, 'device-plugins'),
      resource: 'example.com/gadget',
      devices: { g1: 'Healthy', g2: 'Healthy' },
      answer: (ids) => ({
        envs: [{ key: 'GADGETS', value: ids.join(',') }],
        devices: [{ containerPath: '/dev/gadget', hostPath: '/dev/null', permissions: 'rw' }],
        annotations: [{ key: 'example.com/gadgets', value: ids.join(',') }],
      }),
    });
    try {
      await gadgets.register();
      await eventually(nodeObject, ({ status }) => status?.allocatable?.['example.com/gadget'] === '2');
      const wanting = (count: number) => ({ resources: { limits: { 'example.com/gadget': String(count) } } });
      await node.create(scriptPod('both', 'exec sleep 1000', {}, wanting(2)));
      await node.until('both', isRunning, 'running');
      expect(await node.exec('both', 'echo $GADGETS; [ -c /dev/gadget ] && echo there')).toEqual({
        code: 0,
        output: 'g1,g2\nthere\n',
      });
      const reported = (health: string) => ({
        allocatedResourcesStatus: [
          {
            name: 'example.com/gadget',
            resources: [
              { resourceID: 'g1', health: 'Healthy' },
              { resourceID: 'g2', health },
            ],
          },
        ],
      });
      const held = await node.until('both', isRunning, 'running');
      expect(held.status?.containerStatuses?.[0]).toMatchObject(reported('Healthy'));
      gadgets.setDevices({ g1: 'Healthy', g2: 'Unhealthy' });
      const sick = await node.until(
        'both',
        ({ status }) => JSON.stringify(status).includes('Unhealthy'),
        'told',
      );
      expect(sick.status?.containerStatuses?.[0]).toMatchObject(reported('Unhealthy'));
      gadgets.setDevices({ g1: 'Healthy', g2: 'Healthy' });
      await node.create(scriptPod('more', 'exec sleep 1000', { nodeName }, wanting(1)));
      const refused = await node.until('more', ({ status }) => status?.phase === 'Failed', 'refused');
      expect(refused.status).toMatchObject({
        reason: 'UnexpectedAdmissionError',
        message:
          'Pod was rejected: Allocate failed due to requested number of devices unavailable for example.com/gadget. Requested: 1, Available: 0, which is unexpected',
      });
      await node.remove('more');
      await node.restartKubelet();
      await gadgets.register();
      await eventually(nodeObject, ({ status }) => status?.allocatable?.['example.com/gadget'] === '2');
      expect(await node.exec('both', 'echo $GADGETS')).toEqual({ code: 0, output: 'g1,g2\n' });
      await node.remove('both');
      await node.create(scriptPod('after', 'exec sleep 1000', {}, wanting(1)));
      await node.until('after', isRunning, 'running');
      await node.remove('after');
    } finally {
      await gadgets.stop();
    }
  },
  patienceMs,
);

containerTest(
  'the driver of a claim prepares it before its pod starts, and releases it after the pod has ended',
  async () => {
    const name = 'gpu.example.com';
    const registry = path.join(node.rootDirectory, 'plugins_registry');
    const directory = path.join(node.containerd.directory, 'claim-driver');
    const claims = await startClaimDriver({ directory, registry, name });
    const dra = 'resource.k8s.io/v1';
    await create(dra, 'deviceclasses', 'DeviceClass', 'gpu', { spec: {} });
    await create(dra, 'resourceslices', 'ResourceSlice', 'gpus', {
      spec: {
        driver: name,
        nodeName,
        pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'one' }],
      },
    });
    await node.client
      .resource<KubeObject>(dra, 'resourceclaims')
      .namespace('default')
      .create({
        apiVersion: dra,
        kind: 'ResourceClaim',
        metadata: { name: 'mine' },
        spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } },
      } as never);
    await node.create(
      scriptPod('claiming', 'exec sleep 1000', {
        resourceClaims: [{ name: 'gpu', resourceClaimName: 'mine' }],
      }),
    );
    await node.until('claiming', isRunning, 'running');
    expect(claims.calls).toEqual(['prepare mine']);

    await node.remove('claiming');
    await eventually(
      async () => claims.calls,
      (calls) => calls.includes('unprepare mine'),
    );
    await claims.stop();
  },
  patienceMs,
);
