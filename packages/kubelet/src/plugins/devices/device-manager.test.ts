import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { systemClock } from '@coxswain/apimachinery';
import {
  startDevicePlugin,
  type DevicePlugin,
  type DevicePluginOptionsOfTest,
} from '../../../test/device-plugin.ts';
import { writeCheckpoint } from './device-checkpoint.ts';
import { DeviceManager } from './device-manager.ts';
import { isExtendedResourceName } from '../../resources/extended-resource.ts';

const resource = 'example.com/gadget';
let directory: string;
let stopping: AbortController;
let plugins: DevicePlugin[];
let errors: unknown[];
let active: ReadonlySet<string>;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'devices-'));
  stopping = new AbortController();
  plugins = [];
  active = new Set();
  errors = [];
});

afterEach(async () => {
  stopping.abort();
  for (const plugin of plugins) await plugin.stop();
  // A checkpoint may still be being written.
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

async function manager() {
  stopping.abort();
  stopping = new AbortController();
  let reported = Promise.withResolvers<void>();
  // Excludes late errors from an earlier test.
  const own = errors;
  const made = new DeviceManager({
    directory,
    clock: systemClock,
    signal: stopping.signal,
    onError: (error) => void own.push(error),
    changed: () => reported.resolve(),
    activePods: () => active,
  });
  await made.start();
  const changes = async (isAsWanted: () => boolean): Promise<void> => {
    while (!isAsWanted()) {
      await reported.promise;
      reported = Promise.withResolvers();
    }
  };
  return { made, changes };
}

async function plugin(more: Partial<DevicePluginOptionsOfTest> = {}): Promise<DevicePlugin> {
  const started = await startDevicePlugin({
    directory,
    resource,
    devices: { a: 'Healthy', b: 'Healthy', c: 'Healthy' },
    ...more,
  });
  plugins.push(started);
  return started;
}

const container = (name: string, count: number, more = {}) => ({
  name,
  resources: { limits: { [resource]: String(count) } },
  ...more,
});
const podOf = (uid: string, containers: readonly object[], initContainers: readonly object[] = []): Pod =>
  ({ metadata: { uid, name: uid }, spec: { containers, initContainers } }) as unknown as Pod;
const nthContainer = (pod: Pod, i = 0) => pod.spec!.containers[i]!;

test('devices of a plugin count as the node’s, those that are not well only as its capacity', async () => {
  const { made, changes } = await manager();
  const gadgets = await plugin();
  await gadgets.register();
  await changes(() => made.amounts().capacity[resource] === '3');
  expect(made.amounts().allocatable).toEqual({ [resource]: '3' });
  gadgets.setDevices({ a: 'Healthy', b: 'Unhealthy' });
  await changes(() => made.amounts().capacity[resource] === '2');
  expect(made.amounts().allocatable).toEqual({ [resource]: '1' });
  await gadgets.stop();
  await changes(() => made.amounts().allocatable[resource] === '0');
  expect(made.amounts().capacity).toEqual({ [resource]: '2' });
});

test('a container gets its devices and their settings; no other gets them, nor more than exist', async () => {
  const { made, changes } = await manager();
  const gadgets = await plugin({
    options: { preStartRequired: true },
    answer: (ids) => ({
      envs: [{ key: 'GADGETS', value: ids.join() }],
      devices: ids.map((id) => ({ containerPath: `/dev/${id}`, hostPath: '/dev/null', permissions: 'rw' })),
      mounts: [{ containerPath: '/lib/gadget', hostPath: '/opt/gadget', readOnly: true }],
      annotations: [{ key: 'example.com/ids', value: ids.join() }],
      cdiDevices: [{ name: 'example.com/gadget=all' }],
    }),
  });
  await gadgets.register();
  await changes(() => made.amounts().capacity[resource] === '3');
  const first = podOf('first', [container('c', 2)]);
  active = new Set(['first']);
  expect(made.concerns(first)).toBe(true);
  await made.allocate(first);
  const got = await made.prepare(first, nthContainer(first));
  expect([...got.environment]).toEqual([['GADGETS', 'a,b']]);
  expect(got.devices.map(({ containerPath }) => containerPath)).toEqual(['/dev/a', '/dev/b']);
  expect(got.mounts).toEqual([{ containerPath: '/lib/gadget', hostPath: '/opt/gadget', readonly: true }]);
  expect(got.annotations).toEqual({ 'example.com/ids': 'a,b' });
  expect(got.cdiDevices).toEqual([{ name: 'example.com/gadget=all' }]);
  expect(gadgets.calls).toEqual(['Allocate a,b', 'PreStartContainer a,b']);
  const second = podOf('second', [container('c', 2)]);
  await expect(made.allocate(second)).rejects.toThrow(
    'requested number of devices unavailable for example.com/gadget. Requested: 2, Available: 1',
  );
  active = new Set();
  await made.allocate(second);
  expect(gadgets.calls.at(-1)).toBe('Allocate a,b');
});

test('devices of an init container are reused by the pod’s containers; a sidecar keeps its own', async () => {
  const { made, changes } = await manager();
  const gadgets = await plugin();
  await gadgets.register();
  await changes(() => made.amounts().capacity[resource] === '3');
  const sidecar = container('sidecar', 1, { restartPolicy: 'Always' });
  await made.allocate(podOf('p', [container('c', 2)], [container('init', 2), sidecar]));
  expect(gadgets.calls).toEqual(['Allocate a,b', 'Allocate a', 'Allocate b,c']);
});

test('a plugin may prefer some of the free devices', async () => {
  const { made, changes } = await manager();
  const gadgets = await plugin({
    options: { getPreferredAllocationAvailable: true },
    prefer: (available) => [...available].reverse(),
  });
  await gadgets.register();
  await changes(() => made.amounts().capacity[resource] === '3');
  await made.allocate(podOf('p', [container('x', 1)]));
  expect(gadgets.calls).toEqual(['Allocate c']);
});

test('a restarted kubelet knows who has which device, and assigns none until the plugin is connected', async () => {
  const { made, changes } = await manager();
  const gadgets = await plugin();
  await gadgets.register();
  await changes(() => made.amounts().capacity[resource] === '3');
  const pod = podOf('p', [container('c', 2)]);
  active = new Set(['p']);
  await made.allocate(pod);
  const again = await manager();
  expect(again.made.amounts()).toEqual({ capacity: { [resource]: '0' }, allocatable: { [resource]: '0' } });
  const other = podOf('q', [container('c', 2)]);
  await expect(again.made.allocate(other)).rejects.toThrow(
    'no healthy devices present; cannot allocate unhealthy devices example.com/gadget',
  );
  await gadgets.register();
  await again.changes(() => again.made.amounts().capacity[resource] === '3');
  expect([...(await again.made.prepare(pod, nthContainer(pod))).environment]).toEqual([['DEVICES', 'a,b']]);
  await expect(again.made.allocate(other)).rejects.toThrow('Requested: 2, Available: 1');
  expect(errors).toEqual([]);
});

test('a damaged or unreadable checkpoint is reported, and not used', async () => {
  await writeCheckpoint(directory, { grants: [], registered: { [resource]: ['a'] } });
  const file = path.join(directory, 'kubelet_internal_checkpoint');
  expect((await manager()).made.amounts().capacity).toEqual({ [resource]: '0' });
  writeFileSync(file, readFileSync(file, 'utf8').replace('gadget', 'forged'));
  expect((await manager()).made.amounts().capacity).toEqual({});
  rmSync(file);
  mkdirSync(file);
  expect((await manager()).made.amounts().capacity).toEqual({});
  expect(errors.map(String)).toEqual([
    expect.stringContaining('checkpoint is corrupted'),
    expect.stringContaining('EISDIR'),
  ]);
});

test.each([
  [{ resource: 'cpu' }, 'the ResourceName "cpu" is invalid'],
  [{ resource: 'kubernetes.io/x' }, 'the ResourceName "kubernetes.io/x" is invalid'],
])('a plugin of %j is refused', async (more, message) => {
  await manager();
  await expect((await plugin(more)).register()).rejects.toThrow(message);
});

test.each([
  ['example.com/gpu', true],
  ['hugepages-2Mi', false],
  ['requests.example.com/gpu', false],
  ['example.com/', false],
  ['Example.com/gpu', false],
])('%s as the name of an extended resource: %s', (name, isOne) => {
  expect(isExtendedResourceName(name)).toBe(isOne);
});
