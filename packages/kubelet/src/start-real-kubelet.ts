/**
 * Assembles a kubelet for this machine. From top to bottom: shared parts → what pods receive → the node in the API →
 * the container runtime → sources of pods → maintenance of the node → the kubelet → its port → start.
 */
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { ineffectiveSettings, refuseUnbuilt } from './config/unbuilt-settings.ts';
import type { CriRuntime } from './containers/cri-runtime.ts';
import type { Cri } from './cri/cri-client.ts';
import { Housekeeping } from './housekeeping.ts';
import { Kubelet } from './kubelet.ts';
import type { RealKubeletOptions } from './config/real-kubelet-options.ts';
import { sysctlAdmission } from './node/admit-sysctls.ts';
import { NodeShutdown, shutdownGroups } from './node/shutdown.ts';
import { withAllocatedResources } from './plugins/allocated-resources.ts';
import { accessToImages } from './real/access-to-images.ts';
import { commonParts, type CommonParts } from './real/common-parts.ts';
import { nodeInApi, type NodeInApi } from './real/node-in-api.ts';
import { podRuntime } from './real/pod-runtime.ts';
import { podStorage, type PodStorage } from './real/pod-storage.ts';
import { runNode } from './run-node.ts';
import type { NodeUsage } from './server/node-usage.ts';
import { openPort, usageReader } from './server/open-port.ts';
import { StaticPods } from './static-pods/static-pods.ts';
import { StatusWriter } from './status/status-writer.ts';

export interface RealKubelet {
  readonly kubelet: Kubelet;
  readonly runtime: CriRuntime;
  readonly cri: Cri;
  readonly node: () => Node | undefined;
  /** The usage of the node and its pods; loaded on request. */
  readonly usage: () => Promise<NodeUsage>;
  /**
   * Ends all pods, lowest priority first, when the machine shuts down; undefined if graceful shutdown is not
   * configured.
   */
  readonly shutDown: (() => Promise<void>) | undefined;
  /**
   * Resolves when everything has stopped after the signal; containers keep running. The owner of `cri` then closes it.
   */
  readonly stopped: Promise<void>;
}

/** How long the last statuses of ended pods may take to reach the API. */
const lastWritesMsMax = 5_000;
const lastWritesLookMs = 50;

/**
 * Resolves when the node is registered and its pods are managed.
 * @throws the runtime's error if it can't be reached; Error for unimplemented settings
 */
export async function startRealKubelet(options: RealKubeletOptions): Promise<RealKubelet> {
  const { settings, log } = options;
  refuseUnbuilt(settings);
  for (const line of ineffectiveSettings(settings)) log(line);
  const common = await commonParts(options);
  const { cri } = common.environment;
  const storage = podStorage(options, common);
  const node = nodeInApi(options, { ...common, ...storage });
  const imageAccess = await accessToImages(options, common);
  const runtime = podRuntime(options, { ...common, ...storage, imageAccess });
  await runtime.start();
  const { writer, staticPods } = podSources(options, common, node);
  const housekeeping = await Housekeeping.prepare({ ...options, ...common, runtime, imageAccess });
  const shortage = housekeeping.shortage();
  if (shortage !== undefined) log(shortage);
  const shutdown = shutdownOf(options, common);
  const working = { ...common, ...storage, node, runtime, writer, staticPods, housekeeping, shutdown };
  const kubelet = kubeletOf(options, working);
  const usage = usageReader(options, working);
  const closePort = await openPort(options, { ...working, kubelet, usage });
  const { stopped } = await runNode(options, { ...working, kubelet, closePort });
  return {
    kubelet,
    runtime,
    cri,
    node: () => node.seen(),
    usage,
    shutDown: shutdown.isConfigured ? () => shutDown(shutdown, writer, common.clock) : undefined,
    stopped,
  };
}

/** Combines static pods with those from the API; the statuses of all pods are written there. */
function podSources(
  { client, settings, nodeName, signal, observer }: RealKubeletOptions,
  { clock, environment, onError }: CommonParts,
  { agent }: NodeInApi,
) {
  const pods = client.resource<Pod & KubeObject>('v1', 'pods');
  const written = (tookMs: number) => environment.metrics.statusWritten(tookMs);
  const writer = new StatusWriter({ pods, clock, onError, written, observer });
  const staticPods = new StaticPods({
    place: settings.staticPodPath,
    everyMs: settings.fileCheckFrequency,
    nodeName,
    nodeUid: () => agent.node?.metadata.uid,
    pods,
    writer,
    clock,
    signal,
    onError,
  });
  return { writer, staticPods };
}

const shutdownOf = (
  { settings }: RealKubeletOptions,
  { clock, pods, state, nodeEvent }: CommonParts,
): NodeShutdown =>
  new NodeShutdown({
    clock,
    groups: shutdownGroups(settings),
    activePods: () => pods.active(),
    end: (uid, order) => pods.end(uid, order),
    nodeEvent,
    stopping: (reason) => state.stopping(reason),
  });

interface WorkingParts extends CommonParts, PodStorage {
  readonly node: NodeInApi;
  readonly runtime: CriRuntime;
  readonly staticPods: StaticPods;
  readonly housekeeping: Housekeeping;
  readonly shutdown: NodeShutdown;
}

function kubeletOf(
  { settings, nodeName, nodeIps, observer }: RealKubeletOptions,
  parts: WorkingParts,
): Kubelet {
  const { clock, environment, pods, plugins, node, runtime, staticPods, housekeeping, shutdown } = parts;
  const { metrics, capacity } = environment;
  const { devices, claims } = plugins;
  const sysctlRefusal = sysctlAdmission(settings.allowedUnsafeSysctls);
  metrics.describe({
    pods: () => pods.all(),
    activePods: () => pods.active(),
    cgroupVersion: environment.driver.version,
    millicores: environment.machine.cpus * 1000,
  });
  return new Kubelet({
    spec: { name: nodeName, podCidr: settings.podCIDR, address: nodeIps[0] ?? '', capacity },
    pods,
    runtime,
    clock,
    observer,
    writer: staticPods.writer,
    node: () => node.seen(),
    refuse: (pod) => housekeeping.eviction.refusal(pod) ?? sysctlRefusal(pod) ?? shutdown.refusal(),
    event: parts.event,
    preempted: (resource) => metrics.preempted(resource),
    backoffMsMax: settings.crashLoopBackOff.maxContainerRestartPeriod,
    withDevices(pod, status) {
      metrics.podReported(pod, status.phase ?? undefined);
      return withAllocatedResources(pod, status, (container) => [
        ...devices.healthOf(pod.metadata?.uid ?? '', container.name),
        ...claims.resourcesOf(pod, container),
      ]);
    },
    allocate: (pod) => (devices.concerns(pod) ? devices.allocate(pod) : undefined),
    onError: parts.onError,
  });
}

async function shutDown(shutdown: NodeShutdown, writer: StatusWriter, clock: Clock): Promise<void> {
  await shutdown.run();
  const endMs = clock.monotonic() + lastWritesMsMax;
  while (!writer.isIdle && clock.monotonic() < endMs) await clock.sleep(lastWritesLookMs);
}
