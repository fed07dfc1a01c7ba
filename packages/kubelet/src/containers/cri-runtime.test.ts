/** The kubelet's requests to its runtime and their order, with a fake runtime. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import { createClient } from '@coxswain/client';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';
import { startFakeRuntime, type FakeRuntime } from '../../test/fake-runtime.ts';
import { PodCgroups } from '../cgroups/pod-cgroups.ts';
import type { CgroupDriver } from '../cgroups/cgroup-driver.ts';
import { connectCri } from '../cri/cri-client.ts';
import { PodWorker } from '../worker/pod-worker.ts';
import { ApiSources } from '../volumes/api-sources.ts';
import { PodVolumes } from '../volumes/pod-volumes.ts';
import { CriRuntime } from './cri-runtime.ts';
import { KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import { UserRanges } from './user-ranges.ts';
import { ImageAccess } from '../images/image-access.ts';
import { PullRecords } from '../images/pull-records.ts';
import { RuntimeImages } from '../images/runtime-images.ts';
import { verificationPolicy } from '../config/verification-policy.ts';

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

test('a pod is a sandbox, an image that is looked for, a container that is made, and the other way round', async () => {
  const node = await fakeNode();
  node.worker.start();
  await expect.poll(() => node.status()?.phase).toBe('Running');
  expect(node.methods()).toEqual([
    'runPodSandbox',
    'podSandboxStatus',
    'imageStatus',
    'imageStatus',
    'createContainer',
    'startContainer',
    'containerStatus',
  ]);
  expect(node.runtime.requests('runPodSandbox')[0]?.config).toMatchObject({
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', attempt: 0 },
    linux: { cgroupParent: '/kubepods/besteffort/podu1' },
  });
  expect(node.runtime.requests('createContainer')[0]).toMatchObject({
    podSandboxId: 'sandbox-0',
    config: { metadata: { name: 'c', attempt: 0 }, image: { image: 'sha256:1' }, logPath: 'c/0.log' },
    sandboxConfig: { metadata: { uid: 'u1' } },
  });
  expect(node.status()).toMatchObject({
    podIP: '10.0.0.9',
    containerStatuses: [
      {
        containerID: 'fake://container-0',
        user: { linux: { uid: 1000, gid: 0, supplementalGroups: [60_000] } },
      },
    ],
  });
  expect(node.groups).toContain('/kubepods/besteffort/podu1');

  node.forget();
  node.worker.update({
    ...node.pod,
    metadata: {
      ...node.pod.metadata,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 7,
    },
  } as Pod);
  await expect.poll(() => node.isRemoved()).toBe(true);
  expect(node.methods()).toEqual(['stopContainer', 'containerStatus', 'stopPodSandbox']);
  expect(node.runtime.requests('stopContainer')[0]).toEqual({ containerId: 'container-0', timeout: 7 });
  expect(node.groups).not.toContain('/kubepods/besteffort/podu1');

  node.forget();
  node.worker.discard();
  await expect.poll(() => node.methods()).toContain('removePodSandbox');
  expect(node.methods()).toContain('removeContainer');
  await expect.poll(() => existsSync(path.join(node.directory, 'pods', 'u1'))).toBe(false);
});

test('the runtime’s error about a container that can’t be created or started is reported, and counts as upstream', async () => {
  const refused = await fakeNode({ createContainer: () => fail(grpcCodes.unknown, 'no room') });
  refused.worker.start();
  await expect.poll(() => refused.waiting()).toEqual({ reason: 'CreateContainerError', message: 'no room' });
  expect(refused.status()?.containerStatuses?.[0]?.restartCount).toBe(0);

  const broken = await fakeNode({ startContainer: () => fail(grpcCodes.unknown, 'no such program') });
  broken.worker.start();
  await expect
    .poll(() => broken.status()?.containerStatuses?.[0]?.lastState?.terminated)
    .toMatchObject({
      reason: 'StartError',
      exitCode: 128,
      message: 'no such program',
    });
  expect(broken.events).toContain('Failed: Error: no such program');
});

test('a sandbox that can’t be created is reported with the runtime’s error', async () => {
  const node = await fakeNode({ runPodSandbox: () => fail(grpcCodes.unknown, 'no network') });
  node.worker.start();
  const text =
    'FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = no network';
  await expect.poll(() => node.events).toContain(text);
});

test('a pod with users of its own has them in its namespaces and in all that is mounted', async () => {
  const node = await fakeNode({
    status: () => ({ runtimeHandlers: [{ name: '', features: { userNamespaces: true } }] }),
  });
  const ofOther = path.join(node.directory, 'pods', 'other', 'userns');
  mkdirSync(path.dirname(ofOther));
  const first = { hostId: 65_536, containerId: 0, length: 65_536 };
  writeFileSync(ofOther, JSON.stringify({ uidMappings: [first], gidMappings: [first] }));
  node.worker.update({ ...node.pod, spec: { ...node.pod.spec!, hostUsers: false } });
  node.worker.start();
  await expect.poll(() => node.status()?.phase).toBe('Running');
  const own = { ...first, hostId: 131_072 };
  const usernsOptions = { mode: 0, uids: [own], gids: [own] };
  const { config: sandbox } = node.runtime.requests('runPodSandbox')[0]!;
  expect(sandbox?.linux?.securityContext?.namespaceOptions).toMatchObject({ usernsOptions });
  const { config } = node.runtime.requests('createContainer')[0]!;
  expect(config?.linux?.securityContext?.namespaceOptions).toMatchObject({ usernsOptions });
  expect(config?.mounts).not.toEqual([]);
  for (const { uidMappings, gidMappings } of config!.mounts)
    expect([uidMappings, gidMappings]).toEqual([[own], [own]]);
  const place = path.join(node.directory, 'pods', 'u1', 'userns');
  expect(JSON.parse(readFileSync(place, 'utf8'))).toEqual({ uidMappings: [own], gidMappings: [own] });
  node.worker.update({
    ...node.pod,
    metadata: {
      ...node.pod.metadata,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 1,
    },
  } as Pod);
  await expect.poll(() => node.isRemoved()).toBe(true);
  expect(existsSync(place)).toBe(false);
});

test('a runtime without user namespaces gets no pod that needs them', async () => {
  const node = await fakeNode({ status: () => ({ runtimeHandlers: [{ name: '' }] }) });
  node.worker.update({ ...node.pod, spec: { ...node.pod.spec!, hostUsers: false } });
  node.worker.start();
  const reason = "can't set `spec.hostUsers: false`, runtime does not support user namespaces";
  await expect
    .poll(() => node.events)
    .toContain(`FailedCreatePodSandBox: Failed to create pod sandbox: ${reason}`);
  expect(node.methods()).not.toContain('runPodSandbox');
  const counted = node.metrics.exposition();
  for (const name of ['pods', 'user_namespaced_pods'])
    expect(counted).toMatch(new RegExp(`^kubelet_started_${name}_errors_total [1-9]`, 'm'));
});

test('a container that can’t be started counts as a failure of its pod, if that has users of its own', async () => {
  const node = await fakeNode({
    status: () => ({ runtimeHandlers: [{ name: '', features: { userNamespaces: true } }] }),
    startContainer: () => fail(grpcCodes.unknown, 'no such program'),
  });
  node.worker.update({ ...node.pod, spec: { ...node.pod.spec!, hostUsers: false } });
  node.worker.start();
  await expect.poll(() => node.events).toContain('Failed: Error: no such program');
  const counted = node.metrics.exposition();
  expect(counted).toMatch(/^kubelet_started_user_namespaced_pods_errors_total 1$/m);
  expect(counted).toMatch(/^kubelet_started_pods_errors_total 0$/m);
});

test('an image is pulled with the credentials of its registry, and a failure is shown before it is waited out', async () => {
  let isThere = false;
  const node = await fakeNode({
    imageStatus: () => (isThere ? { image: { id: 'sha256:1' } } : {}),
    pullImage: ({ auth }) => {
      if (auth?.username !== 'me') fail(grpcCodes.unknown, 'denied');
      isThere = true;
      return { imageRef: 'sha256:1' };
    },
  });
  node.worker.start();
  await expect.poll(() => node.status()?.phase).toBe('Running');
  expect(node.runtime.requests('pullImage').map(({ image, auth }) => [image?.image, auth?.username])).toEqual(
    [['registry.example/app:latest', 'me']],
  );

  const without = await fakeNode({
    imageStatus: () => ({}),
    pullImage: () => fail(grpcCodes.unknown, 'denied'),
  });
  without.worker.start();
  await expect.poll(() => without.waiting()).toEqual({ reason: 'ErrImagePull', message: 'denied' });
});

function fail(code: number, message: string): never {
  throw new GrpcError(code, message);
}

const pod = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: {
    restartPolicy: 'Always',
    dnsPolicy: 'Default',
    securityContext: {},
    containers: [
      { name: 'c', image: 'registry.example/app', imagePullPolicy: 'IfNotPresent', command: ['run'] },
    ],
  },
  status: { phase: 'Pending' },
} as unknown as Pod;

/** One pod on a node with a fake runtime. */
async function fakeNode(answers: Parameters<typeof startFakeRuntime>[0] = {}) {
  const directory = mkdtempSync(path.join(tmpdir(), 'fake-node-'));
  const stopping = new AbortController();
  const ended = new Set<string>();
  const runtime: FakeRuntime = await startFakeRuntime({
    listPodSandbox: ({ filter }) => ({ items: filter === undefined ? [] : [{ id: 'sandbox-0' }] }),
    listContainers: () => ({ containers: [{ id: 'container-0' }] }),
    imageStatus: () => ({ image: { id: 'sha256:1', repoDigests: ['registry.example/app@sha256:1'] } }),
    runPodSandbox: () => ({ podSandboxId: 'sandbox-0' }),
    podSandboxStatus: () => ({ status: { id: 'sandbox-0', network: { ip: '10.0.0.9' } } }),
    createContainer: () => ({ containerId: 'container-0' }),
    startContainer: () => ({}),
    containerStatus: ({ containerId }) => ({
      status: {
        id: containerId,
        state: ended.has(containerId) ? 2 : 1,
        startedAt: 1e15,
        exitCode: 0,
        reason: 'Completed',
        user: { linux: { uid: 1000, gid: 0, supplementalGroups: [60_000] } },
      },
    }),
    stopContainer: ({ containerId }) => {
      ended.add(containerId);
      return {};
    },
    removeContainer: () => ({}),
    stopPodSandbox: () => ({}),
    removePodSandbox: () => ({}),
    ...answers,
  });
  const clock = systemClock;
  const cri = connectCri({ endpoint: runtime.endpoint, clock });
  const metrics = new KubeletMetrics({ clock, nodeName: 'node-1', features: {} });
  const groups = new Set<string>();
  const driver: CgroupDriver = {
    version: 2,
    create: async (group) => void groups.add(group),
    update: async () => undefined,
    processes: async () => [],
    remove: async (group) => void groups.delete(group),
    children: async () => [],
  };
  const directories = {
    root: directory,
    podLogs: path.join(directory, 'logs'),
    containerLogs: path.join(directory, 'links'),
  };
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const client = createClient({
    transport: { send: () => Promise.reject(new Error('nobody is asked')) } as never,
  });
  const sources = new ApiSources({
    client,
    clock,
    random: systemRandom,
    signal: stopping.signal,
    onError,
  });
  const facts = { hostIps: ['192.0.2.1'], podIps: [], allocatable: {} };
  const volumes = new PodVolumes({
    clock,
    directories,
    onError,
    sources: {
      configMap: (namespace, name) => sources.configMap(namespace, name),
      secret: (namespace, name) => sources.secret(namespace, name),
      token: (of, audience, seconds) => sources.token(of, audience, seconds),
      claim: (namespace, name) => sources.claim(namespace, name),
      persistentVolume: (name) => sources.persistentVolume(name),
      facts: () => facts,
    },
  });
  mkdirSync(path.join(directory, 'pods'));
  const login = { auths: { 'registry.example': { username: 'me', password: 'secret' } } };
  const secret = {
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': new TextEncoder().encode(JSON.stringify(login)).toBase64() },
  };
  const criRuntime = new CriRuntime({
    cri,
    name: 'fake',
    version: '1',
    clock,
    signal: stopping.signal,
    directories,
    volumes,
    sources,
    cgroups: new PodCgroups({
      driver,
      clock,
      root: '/',
      cpuCfsQuota: true,
      cpuPeriodUs: 100_000,
      podPidsMax: -1,
    }),
    images: new RuntimeImages({
      cri,
      clock,
      access: new ImageAccess(
        new PullRecords(directory, clock),
        verificationPolicy('NeverVerifyPreloadedImages'),
        onError,
      ),
      pullSecrets: async () => [secret as never],
      pullsAtOnceMax: 1,
    }),
    users: new UserRanges({ cri, directories, podsMax: 2, idsPerPod: 65_536, random: { next: () => 0 } }),
    machine: {
      memoryBytes: 2 ** 30,
      hugepageSizes: [],
      limitsSwap: false,
      isCgroupV2: true,
      killsGroup: true,
      cpuCfsQuota: true,
      cpuCfsQuotaPeriodUs: 100_000,
    },
    security: { seccompDefault: false, seccompRoot: '', processorPaths: [] },
    dns: () => ({ clusterDns: [], clusterDomain: '', host: { servers: [], searches: [], options: [] } }),
    hostIps: () => facts.hostIps,
    allocatable: () => facts.allocatable,
    services: () => [],
    warn: () => undefined,
    health: () => undefined,
    metrics,
    onError,
  });
  const events: string[] = [];
  let status: PodStatus | undefined;
  let isRemoved = false;
  const worker = new PodWorker(pod, {
    runtime: criRuntime,
    clock,
    hostIps: facts.hostIps,
    report: (_pod, reported) => (status = reported),
    remove: () => (isRemoved = true),
    event: (_pod, { reason, message }) => events.push(`${reason}: ${message}`),
    watchContainer: () => undefined,
    unwatchContainer: () => undefined,
    onError,
  });
  criRuntime.listen({ exited: (id, exit) => worker.containerExited(id, exit) });
  let from = 0;
  cleanUps.push(async () => {
    worker.release();
    stopping.abort();
    cri.close();
    await runtime.close();
    rmSync(directory, { recursive: true });
  });
  return {
    directory,
    pod,
    runtime,
    worker,
    metrics: metrics.metrics,
    groups,
    events,
    status: () => status,
    waiting: () => status?.containerStatuses?.[0]?.state?.waiting,
    isRemoved: () => isRemoved,
    /** Without read-only calls. */
    methods: () =>
      runtime.calls
        .slice(from)
        .map(({ method }) => method)
        .filter((method) => !method.startsWith('list')),
    forget: () => void (from = runtime.calls.length),
  };
}
