/** A kubelet for this machine: a container runtime, the API, and what leads from one to the other. */
import path from 'node:path';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import type { Clock, KubeObject, Random } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { EventBroadcaster, Informer, TokenBucket } from '@coxswain/client';
import type { KubeClient } from '@coxswain/client';
import { cgroupDriver } from './cgroups/cgroup-driver.ts';
import { PodCgroups } from './cgroups/pod-cgroups.ts';
import type { KubeletSettings } from './config/kubelet-configuration.ts';
import { ineffectiveSettings, refuseUnbuilt } from './config/unbuilt-settings.ts';
import { clusterDnsSettings } from './containers/cluster-dns-settings.ts';
import { pullSecretsOf } from './containers/pull-secrets.ts';
import { hardThresholdsOf } from './eviction/hard-thresholds.ts';
import { followPods } from './follow-pods.ts';
import { foldersOf } from './kubelet-folders.ts';
import { openPort, usageReader } from './server/open-port.ts';
import { CriRuntime } from './containers/cri-runtime.ts';
import { bytesOfAmount, milliCpuOf } from './containers/linux-resources.ts';
import { RuntimeImages } from './containers/runtime-images.ts';
import { countedCri } from './cri/counted-cri.ts';
import { connectCri } from './cri/cri-client.ts';
import type { Cri } from './cri/cri-client.ts';
import { Housekeeping } from './housekeeping.ts';
import { Kubelet } from './kubelet.ts';
import { KubeletMetrics } from './metrics/kubelet-metrics.ts';
import { sysctlAdmission } from './node/admit-sysctls.ts';
import { nodeCapacity } from './node/capacity.ts';
import { filesystemUse, machineLimits, readMachine, thermalPaths } from './node/machine.ts';
import { NodeAgent } from './node/node-agent.ts';
import { NodeDescription } from './node/node-description.ts';
import { plainVersion } from './node/runtime-version.ts';
import { NodeShutdown, shutdownGroups } from './node/shutdown.ts';
import { withDeviceHealth } from './plugins/devices/device-status.ts';
import { preparePlugins } from './plugins/start-plugins.ts';
import type { PodEvent } from './pod/pod-worker-context.ts';
import { podReference } from './pod/pod-reference.ts';
import { StaticPods } from './static-pods/static-pods.ts';
import type { NodeUsage } from './server/node-usage.ts';
import { StatusWriter } from './status/status-writer.ts';
import { ApiSources } from './volumes/api-sources.ts';
import { VolumeUsages } from './volumes/volume-usage.ts';
import { PodVolumes } from './volumes/pod-volumes.ts';

export interface RealKubeletOptions {
  readonly client: KubeClient;
  readonly settings: KubeletSettings;
  readonly signal: AbortSignal;
  readonly nodeName: string;
  readonly nodeIps: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** `/var/lib/kubelet` */
  readonly rootFolder: string;
  /** `/var/log/containers` */
  readonly containerLogs?: string;
  /** Of certificates that are made; `pki` in the root folder when absent. */
  readonly certFolder?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Resolves when network policies protect the pod at its addresses: no container of it starts before. */
  readonly protect?: (pod: Pod, addresses: readonly string[]) => Promise<void>;
  readonly log: (line: string) => void;
}

export interface RealKubelet {
  readonly kubelet: Kubelet;
  readonly runtime: CriRuntime;
  readonly cri: Cri;
  readonly node: () => Node | undefined;
  /** What the node and its pods use; loaded when it is asked for. */
  readonly usage: () => Promise<NodeUsage>;
  /** Ends all pods, the least important first, as the machine goes down; undefined where they get no time for it. */
  readonly shutDown: (() => Promise<void>) | undefined;
  /** Resolves when everything has stopped after the signal; containers go on. Whoever has `cri` then closes it. */
  readonly stopped: Promise<void>;
}

/** When all pods have ended, their last statuses get so long to reach the API. */
const lastWritesMsMax = 5_000;
const lastWritesLookMs = 50;

/**
 * Resolves when the node is registered and its pods are looked after.
 * @throws what the runtime answers when it can't be reached; Error for settings that are not built
 */
export async function startRealKubelet(options: RealKubeletOptions): Promise<RealKubelet> {
  const { client, settings, signal, nodeName, nodeIps, log } = options;
  refuseUnbuilt(settings);
  for (const line of ineffectiveSettings(settings)) log(line);
  const sysctlRefusal = sysctlAdmission(settings.allowedUnsafeSysctls);
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const onError = (error: unknown): void => {
    if (!signal.aborted) log(error instanceof Error ? error.message : String(error));
  };
  const folders = foldersOf(options);
  const machine = readMachine();
  const metrics = new KubeletMetrics({ clock, nodeName, features: settings.featureGates });
  const connection = connectCri({
    endpoint: settings.containerRuntimeEndpoint,
    clock,
    timeoutMs: settings.runtimeRequestTimeout,
  });
  const cri = countedCri(connection, metrics.metrics, clock);
  const { runtimeName, runtimeVersion } = await cri.version({ version: 'v1' });
  const thresholds = hardThresholdsOf(settings);
  const { capacity, allocatable } = nodeCapacity(
    machine,
    filesystemUse(folders.root).capacityBytes,
    settings,
    thresholds,
  );
  const limits = machineLimits(machine, {
    cpuCfsQuota: settings.cpuCFSQuota,
    cpuCfsQuotaPeriodUs: settings.cpuCFSQuotaPeriod * 1000,
    killsGroup: settings.singleProcessOOMKill !== true,
  });
  const events = new EventBroadcaster({
    client: client.with({
      rateLimiter: new TokenBucket(clock, settings.eventRecordQPS || Infinity, settings.eventBurst),
    }),
    clock,
    random,
    onError,
    signal,
  });
  const recorder = events.recorder('kubelet', nodeName);
  const event = (pod: Pod, told: PodEvent): void =>
    recorder.event(podReference(pod, told.container), told.type, told.reason, told.message, told.annotations);
  const services = new Informer<Service & KubeObject>({
    resource: client.resource('v1', 'services'),
    clock,
    random,
    onError,
  });
  const sources = new ApiSources({
    strategy: settings.configMapAndSecretChangeDetectionStrategy,
    client,
    clock,
    random,
    signal,
    onError,
    changed: (uid) => {
      const pod = kubelet.podByUid(uid);
      if (pod !== undefined) volumes.refresh(pod);
    },
  });
  const facts = (pod: Pod) => ({
    hostIps: nodeIps,
    podIps: kubelet.addressesOf(pod),
    allocatable,
  });
  const plugins = preparePlugins({
    client,
    nodeName,
    folders,
    sources,
    clock,
    signal,
    onError,
    refreshNode: () => agent.refresh(),
    healthChanged: (uids) => kubelet.reportAgain(uids),
    activePods: () =>
      new Set(
        kubelet
          .pods()
          .flatMap(({ metadata, status }) => (isOver(status?.phase) ? [] : [metadata?.uid ?? ''])),
      ),
  });
  const volumes = new PodVolumes({
    clock,
    folders,
    onError,
    csi: plugins.csi,
    expanded: (pod, volume) =>
      event(pod, {
        type: 'Normal',
        reason: 'FileSystemResizeSuccessful',
        message: `MountVolume.NodeExpandVolume succeeded for volume "${volume}"`,
      }),
    sources: {
      configMap: (namespace, name, uid) => sources.configMap(namespace, name, uid),
      secret: (namespace, name, uid) => sources.secret(namespace, name, uid),
      token: (pod, audience, seconds) => sources.token(pod, audience, seconds),
      trustBundles: (choice) => sources.trustBundles(choice),
      claim: (namespace, name) => sources.claim(namespace, name),
      claimGrown: (claim, storage) => sources.claimGrown(claim, storage),
      persistentVolume: (name) => sources.persistentVolume(name),
      facts,
    },
  });
  const driver = cgroupDriver();
  const cgroups = new PodCgroups({
    driver,
    clock,
    root: settings.cgroupRoot || '/',
    cpuCfsQuota: settings.cpuCFSQuota,
    cpuPeriodUs: settings.cpuCFSQuotaPeriod * 1000,
    podPidsMax: settings.podPidsLimit,
  });
  // Pods together may use what keeps free of them on the node before they are evicted, too.
  const forPods = nodeCapacity(machine, 0, settings, {}).allocatable;
  await cgroups.prepare({ milliCpu: milliCpuOf(forPods) ?? 0, memoryBytes: bytesOfAmount(forPods) });
  const description = new NodeDescription({
    cri,
    clock,
    settings,
    machine,
    capacity,
    allocatable,
    nodeName,
    nodeIps,
    labels: options.labels ?? {},
    runtimeVersion: `${runtimeName}://${plainVersion(runtimeVersion)}`,
    volumesInUse: () => plugins.csi.inUse(),
    devices: () => plugins.devices.amounts(),
  });
  const runtime = new CriRuntime({
    cri,
    name: runtimeName,
    version: runtimeVersion,
    clock,
    signal,
    folders,
    volumes,
    devices: plugins.devices,
    cgroups,
    sources,
    machine: limits,
    protect: options.protect,
    metrics,
    images: new RuntimeImages({
      cri,
      clock,
      pullSecrets: (pod) => pullSecretsOf(pod, sources, event),
      pullsAtOnceMax: settings.serializeImagePulls ? 1 : settings.maxParallelImagePulls,
      ...(settings.registryPullQPS > 0 && {
        pace: new TokenBucket(clock, settings.registryPullQPS, settings.registryBurst),
      }),
    }),
    security: {
      seccompDefault: settings.seccompDefault,
      seccompRoot: path.join(folders.root, 'seccomp'),
      processorPaths: thermalPaths(),
    },
    dns: () => clusterDnsSettings(settings),
    hostIps: () => nodeIps,
    allocatable: () => allocatable,
    services: () => services.lister.list(),
    warn: (pod, reason, message) => event(pod, { type: 'Warning', reason, message }),
    health: (error) => description.runtimeAnswered(error),
    onError,
  });
  await runtime.start();
  const writer = new StatusWriter({
    pods: client.resource<Pod & KubeObject>('v1', 'pods'),
    clock,
    onError,
    written: (tookMs) => metrics.statusWritten(tookMs),
  });
  const agent = new NodeAgent({
    client,
    clock,
    random,
    signal,
    onError,
    spec: { name: nodeName, podCidr: settings.podCIDR, address: nodeIps[0] ?? '' },
    runtimeVersion: `${runtimeName}://${plainVersion(runtimeVersion)}`,
    describe: () => description.node(),
    pace: {
      leaseDurationSeconds: settings.nodeLeaseDurationSeconds,
      statusCheckEveryMs: settings.nodeStatusUpdateFrequency,
      statusReportEveryMs: settings.nodeStatusReportFrequency,
    },
  });
  const staticPods = new StaticPods({
    place: settings.staticPodPath,
    everyMs: settings.fileCheckFrequency,
    nodeName,
    nodeUid: () => agent.node?.metadata.uid,
    pods: client.resource<Pod & KubeObject>('v1', 'pods'),
    writer,
    clock,
    signal,
    changed: (pod) => kubelet.podChanged(pod),
    gone: (pod) => kubelet.podGone(pod),
    onError,
  });
  const nodeEvent = (type: PodEvent['type'], reason: string, message: string): void =>
    recorder.event({ kind: 'Node', name: nodeName, uid: nodeName }, type, reason, message);
  const housekeeping = await Housekeeping.prepare({
    cri,
    clock,
    signal,
    settings,
    hardThresholds: thresholds,
    folders,
    kubelet: () => kubelet,
    runtime,
    event,
    nodeEvent,
    pressuresChanged(pressures) {
      const has = (pressure: (typeof pressures)[number]) => pressures.includes(pressure);
      description.pressures = {
        memory: has('MemoryPressure'),
        disk: has('DiskPressure'),
        pid: has('PIDPressure'),
      };
      agent.refresh().catch(onError);
    },
    onError,
  });
  const shutdown = new NodeShutdown({
    clock,
    groups: shutdownGroups(settings),
    activePods: () => kubelet.activePods(),
    end: (uid, order) => kubelet.end(uid, order),
    nodeEvent,
    stopping(reason) {
      description.stopping = reason;
      agent.refresh().catch(onError);
    },
  });
  const shutDown = async (): Promise<void> => {
    await shutdown.run();
    const endMs = clock.monotonic() + lastWritesMsMax;
    while (!writer.isIdle && clock.monotonic() < endMs) await clock.sleep(lastWritesLookMs);
  };
  const kubelet: Kubelet = new Kubelet({
    spec: { name: nodeName, podCidr: settings.podCIDR, address: nodeIps[0] ?? '', capacity },
    runtime,
    clock,
    writer: staticPods.writer,
    node: () => agent.node,
    refuse: (pod) => housekeeping.eviction.refusal(pod) ?? sysctlRefusal(pod) ?? shutdown.refusal(),
    event,
    backoffMsMax: settings.crashLoopBackOff.maxContainerRestartPeriod,
    withDevices(pod, status) {
      metrics.podReported(pod, status.phase ?? undefined);
      return withDeviceHealth(plugins.devices, pod, status);
    },
    allocate: (pod) => (plugins.devices.concerns(pod) ? plugins.devices.allocate(pod) : undefined),
    onError,
  });
  metrics.describe({
    pods: () => kubelet.pods(),
    activePods: () => kubelet.activePods(),
    cgroupVersion: driver.version,
    millicores: machine.cpus * 1000,
  });
  const fullness = new VolumeUsages({ clock, mounted: (uid) => volumes.of(uid), csi: plugins.csi });
  const usage = usageReader({
    options,
    counted: () => housekeeping.counted(),
    metrics,
    kubelet,
    cri,
    clock,
    node: () => agent.node,
    volumes: (pod) => fullness.of(pod),
  });
  const server = settings.enableServer
    ? await openPort({ options, kubelet, runtime, clock, usage })
    : undefined;
  if (server !== undefined) description.port = server.port;
  nodeEvent('Normal', 'Starting', 'Starting kubelet.');
  if (settings.registerNode) await agent.register();
  await plugins.start();
  const running = agent.run();
  const serving = services.run(signal);
  await services.synced;
  await staticPods.start();
  const following = await followPods({
    client,
    clock,
    random,
    signal,
    nodeName,
    kubelet,
    staticPods,
    metrics,
    onError,
  });
  await runtime.removeUnknown((uid) => kubelet.podByUid(uid) !== undefined);
  void plugins.releaseUnused().catch(onError);
  const keeping = housekeeping.run();
  void refreshVolumes(volumes, settings.syncFrequency, clock, signal);
  signal.addEventListener(
    'abort',
    () => {
      kubelet.stop();
      writer.stop();
    },
    { once: true },
  );
  const stopped = Promise.allSettled([running, serving, following.running, keeping]).then(async () => {
    await server?.close();
  });
  return {
    kubelet,
    runtime,
    cri,
    node: () => agent.node,
    usage,
    shutDown: shutdown.isConfigured ? shutDown : undefined,
    stopped,
  };
}

const isOver = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

async function refreshVolumes(
  volumes: PodVolumes,
  everyMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal).catch(() => undefined);
    if (!signal.aborted) volumes.refreshAll();
  }
}
