/** A kubelet for this machine: a container runtime, the API, and what leads from one to the other. */
import { systemClock, systemRandom, type Clock, type KubeObject, type Random } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { Informer, type KubeClient } from '@coxswain/client';
import type { KubeletSettings } from './config/kubelet-configuration.ts';
import { ineffectiveSettings, refuseUnbuilt } from './config/unbuilt-settings.ts';
import type { CriRuntime } from './containers/cri-runtime.ts';
import type { Cri } from './cri/cri-client.ts';
import { followPods } from './follow-pods.ts';
import { Housekeeping } from './housekeeping.ts';
import { Kubelet } from './kubelet.ts';
import { sysctlAdmission } from './node/admit-sysctls.ts';
import { NodeShutdown, shutdownGroups } from './node/shutdown.ts';
import { withDeviceHealth } from './plugins/devices/device-status.ts';
import { accessToImages } from './real/access-to-images.ts';
import { readNodeEnvironment } from './real/node-environment.ts';
import { nodeEvents } from './real/node-events.ts';
import { nodeInApi } from './real/node-in-api.ts';
import { podRuntime } from './real/pod-runtime.ts';
import { keepVolumesFresh, podStorage } from './real/pod-storage.ts';
import type { NodeUsage } from './server/node-usage.ts';
import { openPort, usageReader } from './server/open-port.ts';
import { StaticPods } from './static-pods/static-pods.ts';
import { StatusWriter } from './status/status-writer.ts';
import { VolumeUsages } from './volumes/volume-usage.ts';

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
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const onError = (error: unknown): void => {
    if (!signal.aborted) log(messageOf(error));
  };
  const around = { clock, random, onError };
  const environment = await readNodeEnvironment(options, clock);
  const { cri, folders, metrics, capacity } = environment;
  const events = nodeEvents(options, around);
  const { event, nodeEvent } = events;
  const services = new Informer<Service & KubeObject>({
    resource: client.resource('v1', 'services'),
    ...around,
  });
  const storage = podStorage(options, {
    ...around,
    ...events,
    ...environment,
    kubelet: () => kubelet,
    agent: () => node.agent,
  });
  const { plugins, volumes } = storage;
  const node = nodeInApi(options, { ...around, environment, plugins });
  const imageAccess = await accessToImages(options, environment, around);
  const runtime = podRuntime(options, {
    ...around,
    ...events,
    ...storage,
    environment,
    imageAccess,
    services: () => services.lister.list(),
    health: (error) => node.description.runtimeAnswered(error),
  });
  await runtime.start();
  const pods = client.resource<Pod & KubeObject>('v1', 'pods');
  const writer = new StatusWriter({
    pods,
    clock,
    onError,
    written: (tookMs) => metrics.statusWritten(tookMs),
  });
  const staticPods = new StaticPods({
    place: settings.staticPodPath,
    everyMs: settings.fileCheckFrequency,
    nodeName,
    nodeUid: () => node.agent.node?.metadata.uid,
    pods,
    writer,
    clock,
    signal,
    changed: (pod) => kubelet.podChanged(pod),
    gone: (pod) => kubelet.podGone(pod),
    onError,
  });
  const housekeeping = await Housekeeping.prepare({
    ...events,
    cri,
    clock,
    signal,
    settings,
    hardThresholds: environment.thresholds,
    folders,
    kubelet: () => kubelet,
    runtime,
    imageAccess,
    pressuresChanged: (pressures) => node.pressuresChanged(pressures),
    onError,
  });
  const shortage = housekeeping.shortage();
  if (shortage !== undefined) log(shortage);
  const shutdown = new NodeShutdown({
    clock,
    groups: shutdownGroups(settings),
    activePods: () => kubelet.activePods(),
    end: (uid, order) => kubelet.end(uid, order),
    nodeEvent,
    stopping: (reason) => node.stopping(reason),
  });
  const sysctlRefusal = sysctlAdmission(settings.allowedUnsafeSysctls);
  const kubelet: Kubelet = new Kubelet({
    spec: { name: nodeName, podCidr: settings.podCIDR, address: nodeIps[0] ?? '', capacity },
    runtime,
    clock,
    writer: staticPods.writer,
    node: () => node.seen(),
    refuse: (pod) => housekeeping.eviction.refusal(pod) ?? sysctlRefusal(pod) ?? shutdown.refusal(),
    event,
    preempted: (resource) => metrics.preempted(resource),
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
    cgroupVersion: environment.driver.version,
    millicores: environment.machine.cpus * 1000,
  });
  const fullness = new VolumeUsages({ clock, mounted: (uid) => volumes.of(uid), csi: plugins.csi });
  const usage = usageReader({
    options,
    counted: () => housekeeping.counted(),
    metrics,
    kubelet,
    cri,
    clock,
    node: () => node.seen(),
    volumes: (pod) => fullness.of(pod),
  });
  const server = settings.enableServer
    ? await openPort({ options, kubelet, runtime, clock, usage, metrics })
    : undefined;
  if (server !== undefined) node.description.port = server.port;
  nodeEvent('Normal', 'Starting', 'Starting kubelet.');
  if (settings.registerNode) await node.agent.register();
  await plugins.start();
  const running = node.agent.run();
  const serving = Promise.all([services.run(signal), node.follow()]);
  await services.synced;
  await staticPods.start();
  const following = await followPods({
    ...around,
    client,
    signal,
    nodeName,
    kubelet,
    staticPods,
    metrics,
  });
  await runtime.removeUnknown((uid) => kubelet.podByUid(uid) !== undefined);
  void plugins.releaseUnused().catch(onError);
  const keeping = housekeeping.run();
  void keepVolumesFresh(volumes, settings.syncFrequency, clock, signal);
  const stop = (): void => {
    kubelet.stop();
    writer.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  const stopped = Promise.allSettled([running, serving, following.running, keeping]).then(async () => {
    await server?.close();
  });
  return {
    kubelet,
    runtime,
    cri,
    node: () => node.seen(),
    usage,
    shutDown: shutdown.isConfigured ? () => shutDown(shutdown, writer, clock) : undefined,
    stopped,
  };
}

async function shutDown(shutdown: NodeShutdown, writer: StatusWriter, clock: Clock): Promise<void> {
  await shutdown.run();
  const endMs = clock.monotonic() + lastWritesMsMax;
  while (!writer.isIdle && clock.monotonic() < endMs) await clock.sleep(lastWritesLookMs);
}
