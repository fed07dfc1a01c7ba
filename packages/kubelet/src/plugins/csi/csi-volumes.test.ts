import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import { ManualClock, systemClock } from '@coxswain/apimachinery';
import { startCsiDriver, type CsiDriver, type CsiDriverOptions } from '../../../test/csi-driver.ts';
import { PluginWatcher } from '../registration/plugin-watcher.ts';
import { expandIfGrown } from '../../volumes/expand-volume.ts';
import type { CsiFacts, DriverSpec } from './csi-api.ts';
import type { DriverOnNode } from './csi-node-object.ts';
import { CsiVolumes } from './csi-volumes.ts';
import { RegisteredDrivers } from './registered-drivers.ts';

const name = 'disk.example.com';
let root: string;
let stopping: AbortController;
let driver: CsiDriver;
let spec: DriverSpec | undefined;
let attached: Readonly<Record<string, string>> | undefined;
let installed: Map<string, DriverOnNode>;
let inUseReports: (readonly string[])[];
const errors: string[] = [];

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'csi-'));
  stopping = new AbortController();
  spec = { attachRequired: false, volumeLifecycleModes: ['Persistent', 'Ephemeral'] };
  attached = undefined;
  installed = new Map();
  inUseReports = [];
  errors.length = 0;
});

afterEach(async () => {
  stopping.abort();
  await driver.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Starts the part of a kubelet that manages drivers, on the same directory as before. */
async function kubelet() {
  stopping.abort();
  stopping = new AbortController();
  const drivers = new RegisteredDrivers({
    clock: systemClock,
    node: {
      install: async (reported) => void installed.set(reported.name, reported),
      uninstall: async (gone) => void installed.delete(gone),
    },
  });
  const api: CsiFacts = {
    nodeName: 'n1',
    driver: async () => spec,
    isReportedAttached: async () => attached !== undefined,
    attachment: async () => attached,
    secret: async (reference) =>
      reference ? { from: `${reference.namespace}/${reference.name}` } : ({} as Record<string, string>),
    tokens: async (_pod, requests) =>
      requests?.length ? { tokens: requests[0]!.audience } : ({} as Record<string, string>),
  };
  const directories = { root, podLogs: path.join(root, 'logs'), containerLogs: path.join(root, 'links') };
  const volumes: CsiVolumes = new CsiVolumes({
    directories,
    drivers,
    api,
    clock: systemClock,
    reportInUse: async () => void inUseReports.push(volumes.inUse()),
  });
  await volumes.load();
  const watcher = new PluginWatcher({
    directory: path.join(root, 'plugins_registry'),
    handlers: { CSIPlugin: drivers },
    clock: new ManualClock(0),
    signal: stopping.signal,
    onError: (error) => void errors.push(String(error)),
  });
  return { volumes, watcher, drivers };
}

async function start(more: Partial<CsiDriverOptions> = {}) {
  const registry = path.join(root, 'plugins_registry');
  driver = await startCsiDriver({ directory: path.join(root, 'driver'), registry, name, ...more });
  const made = await kubelet();
  await made.watcher.look();
  return made;
}

const pod = (uid: string, securityContext: object = {}): Pod =>
  ({
    metadata: { uid, name: `pod-${uid}`, namespace: 'shop' },
    spec: { securityContext, serviceAccountName: 'clerk' },
  }) as unknown as Pod;

const persistent = (csi: object = {}, more: object = {}): PersistentVolume =>
  ({
    metadata: { name: 'pv1' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      csi: {
        driver: name,
        volumeHandle: 'vol-1',
        fsType: 'ext4',
        volumeAttributes: { speed: 'fast' },
        ...csi,
      },
      ...more,
    },
  }) as unknown as PersistentVolume;

const requestOf = (method: string) => driver.calls.findLast((call) => call.method === method)?.request;

/** Everything in the directory except the driver's own files. */
const leftovers = (): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (place) => !place.startsWith('driver') && !place.startsWith('plugins_registry') && isFileIn(place),
  );
const isFileIn = (place: string): boolean => !statSync(path.join(root, place)).isDirectory();

test('a registering driver is asked for its node, notified of its acceptance, and known until its socket is removed', async () => {
  const { watcher } = await start({
    volumesMax: 9,
    topology: { 'example.com/zone': 'z1' },
    nodeId: 'node-7',
  });
  expect(driver.reported).toEqual([{ pluginRegistered: true, error: '' }]);
  expect([...installed.values()]).toEqual([
    { name, nodeId: 'node-7', volumesMax: 9, topology: { 'example.com/zone': 'z1' } },
  ]);
  await driver.stop();
  rmSync(path.join(root, 'plugins_registry'), { recursive: true });
  await watcher.look();
  expect(installed.size).toBe(0);
});

test('a volume is staged once for two pods, published for each, and gone with the last', async () => {
  const { volumes } = await start();
  const mounted = await volumes.mountPersistent(pod('u1'), persistent(), false);
  expect(mounted).toEqual({
    hostPath: path.join(root, 'pods/u1/volumes/kubernetes.io~csi/pv1/mount'),
    readOnly: false,
  });
  expect(
    JSON.parse(readFileSync(path.join(path.dirname(mounted.hostPath), 'vol_data.json'), 'utf8')),
  ).toEqual({
    attachmentID: expect.stringMatching(/^csi-[0-9a-f]{64}$/),
    driverName: name,
    nodeName: 'n1',
    specVolID: 'pv1',
    volumeHandle: 'vol-1',
    volumeLifecycleMode: 'Persistent',
  });
  expect(requestOf('nodeStageVolume')).toMatchObject({
    volumeId: 'vol-1',
    stagingTargetPath: expect.stringMatching(
      /plugins\/kubernetes\.io\/csi\/disk\.example\.com\/[0-9a-f]{64}\/globalmount$/,
    ),
    volumeContext: { speed: 'fast' },
    volumeCapability: { mount: { fsType: 'ext4' }, accessMode: { mode: 1 } },
  });
  await volumes.mountPersistent(pod('u2'), persistent(), true);
  expect(requestOf('nodePublishVolume')).toMatchObject({ readonly: true });
  await volumes.unmountPod('u1');
  expect(driver.steps().at(-1)).toBe('nodeUnpublishVolume');
  await volumes.unmountPod('u2');
  expect(driver.steps().slice(-2)).toEqual(['nodeUnpublishVolume', 'nodeUnstageVolume']);
  expect(leftovers()).toEqual([]);
});

test('an earlier kubelet’s volumes are ended by the next, from what lies on the disk', async () => {
  const { volumes } = await start();
  await volumes.mountPersistent(pod('u1'), persistent(), false);
  const again = await kubelet();
  expect(again.volumes.inUse()).toEqual([]);
  await expect(again.volumes.unmountPod('u1')).rejects.toThrow(
    `driver name ${name} not found in the list of registered CSI drivers`,
  );
  await again.watcher.look();
  await again.volumes.unmountPod('u1');
  expect(driver.steps().slice(-2)).toEqual(['nodeUnpublishVolume', 'nodeUnstageVolume']);
  expect(leftovers()).toEqual([]);
});

test('an attached volume is reported as in use before it is mounted, and until it is unstaged', async () => {
  const { volumes } = await start();
  spec = { ...spec!, attachRequired: true };
  attached = { device: '/dev/xyz' };
  await volumes.mountPersistent(pod('u1'), persistent(), false);
  expect(inUseReports).toEqual([[`kubernetes.io/csi/${name}^vol-1`]]);
  expect(requestOf('nodeStageVolume')).toMatchObject({ publishContext: { device: '/dev/xyz' } });
  expect(requestOf('nodePublishVolume')).toMatchObject({ publishContext: { device: '/dev/xyz' } });
  expect((await kubelet()).volumes.inUse()).toEqual([`kubernetes.io/csi/${name}^vol-1`]);
  stopping.abort();
  const last = await kubelet();
  await last.watcher.look();
  await last.volumes.unmountPod('u1');
  expect(inUseReports.at(-1)).toEqual([]);
});

const inline = (csi: object = {}): Volume =>
  ({ name: 'scratch', csi: { driver: name, volumeAttributes: { size: '1' }, ...csi } }) as Volume;

test('a volume of the pod itself has a handle of its own, and knows its pod where the driver wants that', async () => {
  const { volumes } = await start();
  spec = { ...spec!, podInfoOnMount: true, tokenRequests: [{ audience: 'vault' }] };
  await volumes.mountInline(pod('u1'), inline({ nodePublishSecretRef: { name: 'key' }, readOnly: true }));
  expect(driver.steps()).toEqual(['nodePublishVolume']);
  expect(requestOf('nodePublishVolume')).toMatchObject({
    volumeId: expect.stringMatching(/^csi-[0-9a-f]{64}$/),
    readonly: true,
    secrets: { from: 'shop/key' },
    volumeContext: {
      size: '1',
      tokens: 'vault',
      'csi.storage.k8s.io/pod.name': 'pod-u1',
      'csi.storage.k8s.io/pod.namespace': 'shop',
      'csi.storage.k8s.io/pod.uid': 'u1',
      'csi.storage.k8s.io/serviceAccount.name': 'clerk',
      'csi.storage.k8s.io/ephemeral': 'true',
    },
  });
  spec = { ...spec, serviceAccountTokenInSecrets: true };
  await volumes.mountInline(pod('u2'), inline());
  expect(requestOf('nodePublishVolume')).toMatchObject({ secrets: { tokens: 'vault' } });
  expect(requestOf('nodePublishVolume')?.['volumeContext']).not.toHaveProperty('tokens');
});

test.each([
  ['nobody has described', undefined, '(no CSIDriver object)'],
  ['does not do such volumes', { volumeLifecycleModes: ['Persistent'] }, '(only supports ["Persistent"])'],
])('a pod’s own volume of a driver that %s is refused', async (_, described, why) => {
  const { volumes } = await start();
  spec = described as DriverSpec | undefined;
  await expect(volumes.mountInline(pod('u1'), inline())).rejects.toThrow(
    `volume mode "Ephemeral" not supported by driver ${name} ${why}`,
  );
});

test('the group of a pod owns its volume: by the driver that can, else by us, where the policy says so', async () => {
  const group = { fsGroup: 4711 };
  const { volumes } = await start();
  spec = { ...spec!, fsGroupPolicy: 'None' };
  const directory = (uid: string) =>
    statSync(path.join(root, `pods/${uid}/volumes/kubernetes.io~csi/pv1/mount`));
  await volumes.mountPersistent(pod('u1', group), persistent(), false);
  expect(directory('u1').gid).not.toBe(4711);
  spec = { ...spec, fsGroupPolicy: 'File' };
  await volumes.mountPersistent(pod('u2', group), persistent({ fsType: '' }), false);
  if (process.getuid?.() === 0) expect(directory('u2').gid).toBe(4711);
  await driver.stop();
  rmSync(path.join(root, 'pods'), { recursive: true });
  const other = await start({ capabilities: ['volumeMountGroup'] });
  await other.volumes.mountPersistent(pod('u3', group), persistent(), false);
  expect(requestOf('nodePublishVolume')).toMatchObject({
    volumeCapability: { mount: { volumeMountGroup: '4711' } },
  });
});

test('a block volume is a link to the device that the driver has published', async () => {
  const { volumes } = await start();
  const block = persistent({}, { volumeMode: 'Block' });
  const mounted = await volumes.mountPersistent(pod('u1'), block, false);
  expect(mounted.isDevice).toBe(true);
  expect(mounted.hostPath).toBe(path.join(root, 'pods/u1/volumeDevices/kubernetes.io~csi/pv1'));
  expect(readlinkSync(mounted.hostPath)).toBe(
    path.join(root, 'plugins/kubernetes.io/csi/volumeDevices/publish/pv1/u1'),
  );
  expect(requestOf('nodePublishVolume')).toMatchObject({ volumeCapability: { block: {} } });
  const again = await kubelet();
  await again.watcher.look();
  await again.volumes.unmountPod('u1');
  expect(driver.steps().slice(-2)).toEqual(['nodeUnpublishVolume', 'nodeUnstageVolume']);
  expect(leftovers()).toEqual([]);
  expect(existsSync(mounted.hostPath)).toBe(false);
});

test('a volume that has grown grows on the node too, once, by the driver that can', async () => {
  const { volumes } = await start({ capabilities: ['stageUnstage', 'expand'] });
  const larger = persistent({}, { capacity: { storage: '2Gi' } });
  const claim = { metadata: { name: 'c' }, status: { capacity: { storage: '1Gi' } } } as never;
  const grown: string[] = [];
  const context = {
    csi: volumes,
    sources: { claimGrown: async (_: unknown, storage: string) => void grown.push(storage) } as never,
    expanded: (_: Pod, volume: string) => void grown.push(volume),
  };
  await volumes.mountPersistent(pod('u1'), larger, false);
  await expandIfGrown(context, pod('u1'), claim, larger);
  expect(requestOf('nodeExpandVolume')).toMatchObject({
    volumeId: 'vol-1',
    volumePath: path.join(root, 'pods/u1/volumes/kubernetes.io~csi/pv1/mount'),
    stagingTargetPath: expect.stringContaining('globalmount'),
    capacityRange: { requiredBytes: 2 * 1024 ** 3 },
  });
  expect(grown).toEqual(['2Gi', 'pv1']);
  await expandIfGrown(context, pod('u1'), { status: larger.spec } as never, larger);
  expect(grown).toHaveLength(2);
});

test("a driver's error is reported with its message, and nothing is left behind", async () => {
  const { volumes } = await start();
  driver.fail('nodeStageVolume', 13, 'disk on fire');
  await expect(volumes.mountPersistent(pod('u1'), persistent(), false)).rejects.toMatchObject({
    operation: 'MountVolume.MountDevice',
    volume: 'pv1',
    message: 'rpc error: code = Internal desc = disk on fire',
  });
  driver.fail('nodePublishVolume', 9, 'not now');
  await expect(volumes.mountPersistent(pod('u1'), persistent(), false)).rejects.toMatchObject({
    operation: 'MountVolume.SetUp',
    message: 'rpc error: code = FailedPrecondition desc = not now',
  });
  await volumes.unmountPod('u1');
  expect(driver.steps().at(-1)).toBe('nodeUnstageVolume');
  expect(leftovers()).toEqual([]);
});

test('an unknown type of plugin, or a driver of version 0, is notified of the refusal', async () => {
  mkdirSync(path.join(root, 'plugins_registry'));
  await start();
  const { startRegistrar } = await import('../../../test/csi-driver.ts');
  const reported: string[] = [];
  const registry = path.join(root, 'plugins_registry');
  const made = await kubelet();
  const odd = { type: 'Toaster', name: 'toast', endpoint: '/x', supportedVersions: ['1.0.0'] };
  const old = { type: 'CSIPlugin', name: 'old', endpoint: '/x', supportedVersions: ['0.3.0'] };
  const registrars = [
    await startRegistrar(registry, odd, ({ error }) => void reported.push(error)),
    await startRegistrar(registry, old, ({ error }) => void reported.push(error)),
  ];
  await made.watcher.look();
  expect(reported.sort()).toEqual([
    expect.stringContaining('no handler registered for plugin type: Toaster at socket'),
    expect.stringContaining(
      'plugin validation failed with err: validation failed for CSI Driver old at endpoint /x',
    ),
  ]);
  for (const each of registrars) await each.close();
});
