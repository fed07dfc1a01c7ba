import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { systemClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { KubeClient } from '@coxswain/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startClaimDriver, type ClaimDriverOfTest } from '../../../test/claim-driver.ts';
import { PluginWatcher } from '../registration/plugin-watcher.ts';
import { ClaimDrivers } from './claim-drivers.ts';
import { ClaimMetrics } from './claim-metrics.ts';
import { ClaimedDevices } from './claimed-devices.ts';
import { DeviceHealths } from './device-healths.ts';

const driverName = 'gpu.example.com';
let root: string;
let stopping: AbortController;
let driver: ClaimDriverOfTest | undefined;
let metrics: Metrics;
const errors: string[] = [];
let written: () => Promise<void> = () => Promise.resolve();
/** Resolves with the pods whose devices changed their health. */
let unwell = Promise.withResolvers<readonly string[]>();
const claims = new Map<string, object>();

const claim = (name: string, podUids: readonly string[]) => ({
  metadata: { name, namespace: 'default', uid: `uid-of-${name}` },
  status: {
    allocation: { devices: { results: [{ driver: driverName, request: 'gpu' }] } },
    reservedFor: podUids.map((uid) => ({ uid })),
  },
});

const client = {
  resource: () => ({
    namespace: () => ({
      get: async (name: string) => {
        if (!claims.has(name)) throw new Error(`resourceclaims.resource.k8s.io "${name}" not found`);
        return claims.get(name);
      },
    }),
  }),
} as unknown as KubeClient;

const podWith = (uid: string, ...names: readonly string[]): Pod =>
  ({
    metadata: { name: `pod-${uid}`, namespace: 'default', uid },
    spec: {
      resourceClaims: names.map((name) => ({ name, resourceClaimName: name })),
      containers: [
        { name: 'all', resources: { claims: names.map((name) => ({ name })) } },
        { name: 'other', resources: { claims: names.map((name) => ({ name, request: 'other' })) } },
        { name: 'none', resources: {} },
      ],
    },
  }) as unknown as Pod;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'claims-'));
  mkdirSync(path.join(root, 'plugins_registry'));
  stopping = new AbortController();
  driver = undefined;
  claims.clear();
  errors.length = 0;
});
afterEach(async () => {
  stopping.abort();
  await driver?.stop();
  await written();
  rmSync(root, { recursive: true });
});

const startDriver = async (version = 'v1.DRAPlugin') =>
  (driver = await startClaimDriver({
    directory: root,
    registry: path.join(root, 'plugins_registry'),
    name: driverName,
    version,
  }));

/** The part of a kubelet that manages claims, on the same directory as before. */
async function kubelet(): Promise<ClaimedDevices> {
  stopping.abort();
  stopping = new AbortController();
  metrics = new Metrics({ describesItself: false });
  const counted = new ClaimMetrics(metrics, systemClock);
  const healths = new DeviceHealths({
    clock: systemClock,
    directory: root,
    onError: (error) => void errors.push(String(error)),
  });
  written = () => healths.written();
  const health = {
    reported(name: string, reported: Parameters<DeviceHealths['report']>[1]) {
      const pods = devices.podsWith(name, healths.report(name, reported));
      if (pods.length > 0) unwell.resolve(pods);
    },
    ended: (name: string) => (stopping.signal.aborted ? undefined : healths.forget(name)),
  };
  const drivers = new ClaimDrivers({ clock: systemClock, metrics: counted, health });
  stopping.signal.addEventListener('abort', () => drivers.close());
  const watcher = new PluginWatcher({
    directory: path.join(root, 'plugins_registry'),
    handlers: { DRAPlugin: drivers },
    clock: systemClock,
    signal: stopping.signal,
    onError: (error) => void errors.push(String(error)),
  });
  const devices = new ClaimedDevices({
    client,
    drivers,
    directory: root,
    metrics: counted,
    healthOf: (name, device) => healths.of(name, device),
  });
  await watcher.start();
  await devices.load();
  return devices;
}

const namesOf = (devices: ClaimedDevices, pod: Pod) =>
  pod.spec?.containers?.map((container) => devices.cdiDevicesOf(pod, container).map(({ name }) => name));

test.each([['v1.DRAPlugin'], ['v1beta1.DRAPlugin']])(
  'containers get the devices of their requests, which pods share until the last one ends (%s)',
  async (version) => {
    const { calls } = await startDriver(version);
    const devices = await kubelet();
    claims.set('shared', claim('shared', ['1', '2']));
    const [one, two] = [podWith('1', 'shared'), podWith('2', 'shared')];
    await Promise.all([devices.prepare(one), devices.prepare(two), devices.prepare(one)]);

    expect(namesOf(devices, one)).toEqual([
      ['example.com/gpu=shared', 'example.com/gpu=common'],
      ['example.com/gpu=common'],
      [],
    ]);
    await devices.release('1');
    expect(calls).toEqual(['prepare shared']);
    await devices.release('2');
    await devices.release('2');
    expect(calls).toEqual(['prepare shared', 'unprepare shared']);
  },
);

test('a restarted kubelet knows what was prepared, and releases what pods that are gone had', async () => {
  const { calls } = await startDriver();
  const before = await kubelet();
  claims.set('a', claim('a', ['1']));
  claims.set('b', claim('b', ['2']));
  const [one, two] = [podWith('1', 'a'), podWith('2', 'b')];
  await before.prepare(one);
  await before.prepare(two);

  const after = await kubelet();
  expect(namesOf(after, one)).toEqual(namesOf(before, one));
  await after.releaseUnused(new Set(['2']));
  expect(calls).toEqual(['prepare a', 'prepare b', 'unprepare a']);
});

test('a pod without its devices does not start, and says why', async () => {
  const devices = await kubelet();
  const failing = (reason: string) =>
    `Failed to prepare dynamic resources: prepare dynamic resources: ${reason}`;
  const reasonOf = (pod: Pod) =>
    devices.prepare(pod).then(
      () => 'none',
      (error: { code: string; message: string }) => [error.code, error.message],
    );
  const expected = (reason: string) => ['FailedPrepareDynamicResources', failing(reason)];

  const missing = 'fetch ResourceClaim a: resourceclaims.resource.k8s.io "a" not found';
  expect(await reasonOf(podWith('1', 'a'))).toEqual(expected(missing));
  claims.set('a', claim('a', ['2']));
  const foreign = 'pod pod-1 (1) is not allowed to use ResourceClaim a (uid-of-a)';
  expect(await reasonOf(podWith('1', 'a'))).toEqual(expected(foreign));
  claims.set('a', claim('a', ['1']));
  expect(await reasonOf(podWith('1', 'a'))).toEqual(expected(`DRA driver ${driverName} is not registered`));
  // Without a driver that was called there is nothing to release.
  await devices.release('1');
});

test("a driver's failure is reported, and the claim is prepared at the next attempt", async () => {
  const failing = await startDriver();
  const devices = await kubelet();
  claims.set('a', claim('a', ['1']));
  failing.failure = 'no such device';
  await expect(devices.prepare(podWith('1', 'a'))).rejects.toThrow(
    'NodePrepareResources failed for ResourceClaim a: no such device',
  );
  failing.failure = '';
  await devices.prepare(podWith('1', 'a'));
  await devices.release('1');
  expect(failing.calls).toEqual(['prepare a', 'prepare a', 'unprepare a']);
});

test('a driver of other versions is not accepted', async () => {
  await startDriver('v9.DRAPlugin');
  await kubelet();
  expect(errors).toEqual([
    expect.stringContaining(
      'none of services supported by the plugin (["v9.DRAPlugin"]) are supported by the kubelet (["v1.DRAPlugin" "v1beta1.DRAPlugin"])',
    ),
  ]);
});

test('a checkpoint that is damaged or unreadable is not taken for an absent one', async () => {
  const file = path.join(root, 'dra_manager_state');
  const expected = `create ResourceClaim cache: failed to get checkpoint ${file}: `;
  const inFormatOfBefore = JSON.stringify([{ name: 'a' }]);
  const flipped = JSON.stringify({ Data: '{"ClaimInfoStateList":null}', Checksum: 1 });
  for (const text of ['', '{', 'null', inFormatOfBefore, flipped]) {
    writeFileSync(file, text);
    await expect(kubelet(), text).rejects.toThrow(expected);
  }
  rmSync(file);
  mkdirSync(file);
  await expect(kubelet()).rejects.toThrow(`${expected}EISDIR`);
});

test("a checkpoint of upstream's kubelet is understood", async () => {
  const { calls } = await startDriver();
  const device = { PoolName: 'node', DeviceName: 'a', RequestNames: ['gpu'], CDIDeviceIDs: ['x/gpu=a'] };
  const entry = {
    ClaimUID: 'uid-of-a',
    ClaimName: 'a',
    Namespace: 'default',
    PodUIDs: { 1: {} },
    DriverState: { [driverName]: { Devices: [{ ...device, ShareID: null }] } },
  };
  const Data = JSON.stringify({ kind: 'DRACheckpoint', ClaimInfoStateList: [entry] });
  writeFileSync(path.join(root, 'dra_manager_state'), JSON.stringify({ Data, Checksum: crc32(Data) }));
  const devices = await kubelet();
  expect(namesOf(devices, podWith('1', 'a'))).toEqual([['x/gpu=a'], [], []]);
  await devices.release('1');
  expect(calls).toEqual(['unprepare a']);
});

test('the health that a driver reports is that of the devices of containers', async () => {
  const reporting = await startDriver();
  const devices = await kubelet();
  claims.set('a', claim('a', ['1']));
  const pod = podWith('1', 'a');
  await devices.prepare(pod);
  const [all, other, none] = pod.spec!.containers!;
  const healthy = (resourceID: string) => ({ resourceID, health: 'Healthy' });
  const unknown = (resourceID: string) => ({ resourceID, health: 'Unknown' });
  const [own, common] = ['example.com/gpu=a', 'example.com/gpu=common'] as const;

  expect(devices.resourcesOf(pod, all!)).toEqual([
    { name: 'claim:a', resources: [unknown(own), unknown(common)] },
  ]);
  reporting.report('a', 1);
  expect(await unwell.promise).toEqual(['1']);
  expect(devices.resourcesOf(pod, all!)[0]?.resources).toEqual([healthy(own), unknown(common)]);
  unwell = Promise.withResolvers();
  reporting.report('a', 2, 'x'.repeat(2000));
  await unwell.promise;
  const message = `${'x'.repeat(1021)}...`;
  expect(devices.resourcesOf(pod, all!)[0]?.resources[0]).toEqual({
    resourceID: own,
    health: 'Unhealthy',
    message,
  });
  expect(devices.resourcesOf(pod, other!)).toEqual([{ name: 'claim:a/other', resources: [unknown(common)] }]);
  expect(devices.resourcesOf(pod, none!)).toEqual([]);
});

test('metrics count claims, operations and calls by driver', async () => {
  const failing = await startDriver();
  const devices = await kubelet();
  claims.set('a', claim('a', ['1']));
  failing.failure = 'no';
  await expect(devices.prepare(podWith('1', 'a'))).rejects.toThrow('no');
  failing.failure = '';
  await devices.prepare(podWith('1', 'a'));
  const text = metrics.exposition();
  const method = '/k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/NodePrepareResources';
  const call = `driver_name="${driverName}",grpc_status_code="OK",method_name="${method}"`;
  for (const line of [
    'dra_resource_claims_in_use{driver_name="<any>"} 1',
    `dra_resource_claims_in_use{driver_name="${driverName}"} 1`,
    'dra_operations_duration_seconds_count{is_error="true",operation_name="PrepareResources"} 1',
    'dra_operations_duration_seconds_count{is_error="false",operation_name="PrepareResources"} 1',
    `dra_grpc_operations_duration_seconds_count{${call}} 2`,
  ])
    expect(text).toContain(line);
});
