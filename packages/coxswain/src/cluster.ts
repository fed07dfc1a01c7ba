/**
 * The all-in-one: API server, controllers, scheduler and simulated nodes joined in one process. The parts
 * talk through in-process transports, each as the user that it is in the original.
 */

import { systemClock, systemRandom, type KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { InformerFactory, createClient, type KubeClient, type Transport } from '@coxswain/client';
import { informersDuring } from '@coxswain/client/cache/informers-during.ts';
import { networkForwarder, networkKubelets, createKubeApiServer } from '@coxswain/kube-apiserver';
import { plainSettings } from '@coxswain/kube-apiserver/workers/request-messages.ts';
import { workersOf } from '@coxswain/kube-apiserver/workers/worker-count.ts';
import type { NodeSpec, RunningKubelets } from '@coxswain/kubelet';
import type { RealKubelet } from '@coxswain/kubelet/start-real-kubelet.ts';
import type { UserInfo } from '@coxswain/apiserver';
import { clusterComponents, hasRealNodes } from './cluster-components.ts';
import { controllerComponents, controllerNames } from './cluster-controllers.ts';
import type { Cluster, ClusterOptions } from './cluster-options.ts';
import type { ClusterParts } from './cluster-parts.ts';
import { aggregatorClient, kubeletClient, nearAddressTypes, servingSettings } from './cluster-serving.ts';
import {
  forkedFrom,
  openClusterStorage,
  putBack,
  snapshotOf,
  type ClusterSnapshot,
  type ClusterStorage,
} from './cluster-storage.ts';
import { componentAccess } from './component-access.ts';
import { administrator, controllerManagerUser, userAgentOf } from './component-users.ts';
import { Components } from './components.ts';
import { kubeletBridge } from './kubelet-bridge.ts';
import { applyAddons } from './addon.ts';
import { realNodeName } from './real-node.ts';
import type { NodeMeasurementsOptions } from './simulated-metrics/node-measurements.ts';
import type { PlayedNodes } from './stages/played-nodes.ts';
import type { SaidUsage } from './stages/usage-expressions.ts';
import { podUsage } from './simulated-metrics/simulated-usage.ts';
import { StoppableTransport } from './stoppable-transport.ts';

export type { Cluster, ClusterOptions, ForkOptions } from './cluster-options.ts';

/**
 * Starts everything and resolves when the API is served, the controllers have filled their caches and the
 * nodes are registered.
 * @throws Error with one clear line for an occupied port, or a data directory that cannot be used
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { clock = systemClock, storageFolder, durability, log } = options;
  return startOn(await openClusterStorage({ clock, storageFolder, durability, log }), options);
}

/** The same, beginning with what a cluster in memory held then. @throws Error for a snapshot of a store on disk */
export const startClusterFrom = (
  snapshot: ClusterSnapshot,
  options: Omit<ClusterOptions, 'storageFolder' | 'durability'>,
): Promise<Cluster> => startOn(forkedFrom(snapshot, options.clock ?? systemClock), options);

async function startOn(storage: ClusterStorage, options: ClusterOptions): Promise<Cluster> {
  const { clock = systemClock, random = systemRandom, observer, log = () => {} } = options;
  const controllers = controllerNames(options);
  let kubelets: RunningKubelets | undefined;
  let simulatedNodes = (): number | readonly NodeSpec[] => options.nodes ?? 1;
  let realKubelet: RealKubelet | undefined;
  let played: PlayedNodes | undefined;
  // To pods and extension servers, and to nodes of other processes.
  const forwarder = networkForwarder(kubeletClient(options), aggregatorClient(options));
  const reach = servingSettings(options);
  const apiServer = await createKubeApiServer({
    clock,
    random,
    log,
    storage,
    forwarder,
    ...(options.newUid && { newUid: options.newUid }),
    ...(options.guests && { guests: options.guests(storage) }),
    ...(options.servesMetrics === true && {
      extraGroups: [
        await measuredGroup((node, pod, name) => played?.usage(node, pod, name), {
          clock,
          client: () => client(),
          isSimulated: (name) => kubelets?.has(name) === true,
          isLost: (name) => kubelets?.has(name) === true && kubelets.connection(name) === undefined,
          own: (name) =>
            realKubelet !== undefined && name === realNodeName(options.realNode ?? {})
              ? realKubelet.usage().then((usage) => usage.current())
              : undefined,
        }),
      ],
    }),
    kubelets: kubeletBridge({
      kubelets: () => kubelets,
      played: (node) => played?.connection(node as KubeObject),
      pageOf: (node, path) => played?.page(node as Node, path),
      usageOf: (node, pod) => podUsage(pod, (container) => played?.usage(node as Node, pod, container)),
      elsewhere: networkKubelets(forwarder, nearAddressTypes),
      clock,
      log,
    }),
    ...(observer && { observer }),
    ...reach,
    ...(options.threads !== undefined && {
      workers: {
        count: workersOf(options.threads),
        settings: { kind: 'plain', settings: plainSettings(reach) },
      },
    }),
  }).catch(async (failure: unknown) => {
    await storage.close();
    throw failure;
  });
  const stopping = new AbortController();
  const writes = new Set<Promise<unknown>>();
  const { signal } = stopping;
  const transport = (user: UserInfo = administrator): Transport => apiServer.inProcess(user);
  const component = (user: UserInfo, until: AbortSignal = signal): KubeClient =>
    createClient({
      transport: new StoppableTransport(transport(user), until, writes),
      userAgent: userAgentOf(user),
      clock,
      observer,
    });
  const client = (user?: UserInfo): KubeClient =>
    createClient({ transport: transport(user), clock, observer });
  const onError =
    (component: string, until: AbortSignal = signal) =>
    (error: unknown) => {
      if (!until.aborted) log(`${component}: ${messageOf(error)}`);
    };
  // One watch of each kind serves all components.
  const informers = new InformerFactory({
    client: component(controllerManagerUser),
    sharesEqualParts: true,
    clock,
    random,
    observer,
    // What `runtimeConfig` turns off stays so.
    absentIsEmpty: true,
    onError: onError('informers'),
  });
  const duringOf = (until: AbortSignal) => informersDuring(informers, until);
  const parts: ClusterParts = {
    clock,
    random,
    observer,
    log,
    client: component,
    informers: duringOf,
    shared: (until) => ({ clock, random, observer, signal: until, informers: duringOf(until) }),
    onError,
  };
  const components = new Components([
    ...controllerComponents(controllers, options, parts),
    ...clusterComponents(
      options,
      parts,
      { address: apiServer.address, lastingClient: client, simulatedNodes: () => simulatedNodes() },
      {
        kubelets(running) {
          kubelets = running;
          // Started once more, there are those that there were.
          simulatedNodes = () => running.nodes;
        },
        realKubelet: (running) => (realKubelet = running),
        played: (nodes) => (played = nodes),
      },
    ),
  ]);
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('the cluster is stopping'));
    await Promise.allSettled([components.stopAll(), informers.stopped()]);
    await apiServer.stop();
  };
  const start = async (): Promise<void> => {
    if (hasRealNodes(options))
      await applyAddons(component(administrator), componentAccess(options.joinable !== undefined));
    const started = components.names
      .filter((name) => name !== 'scheduler' || options.scheduler !== false)
      .map((name) => components.start(name));
    informers.start(signal);
    await Promise.all(started);
    if (controllers.includes(serviceAccountController)) await podsAreAdmitted(client(), signal);
  };
  await start().catch(async (failure: unknown) => {
    await stop();
    throw failure;
  });

  return {
    apiServer,
    components,
    controllers,
    get kubelets() {
      return kubelets!;
    },
    storage,
    address: apiServer.address,
    transport,
    // In bytes, as over a network: whoever embeds a cluster may do what he likes with the objects that he gets.
    client: (user = administrator) =>
      createClient({ transport: apiServer.inProcess(user, { structured: false }), clock, observer }),
    snapshot: () => snapshotOf(storage),
    async reset(snapshot, { nodes, running = components.running } = {}) {
      await components.stopAll();
      await Promise.allSettled(writes);
      await putBack(storage, snapshot);
      if (snapshot.inMemory !== undefined) await informers.caughtUp(storage.currentRevision);
      if (nodes !== undefined) simulatedNodes = () => nodes;
      await Promise.all(running.map((name) => components.start(name)));
    },
    fork: async ({ snapshot = snapshotOf(storage), ...other } = {}) => {
      const { storageFolder: _folder, port: _port, ...same } = options;
      const { clock: itsClock = clock } = other;
      return startOn(forkedFrom(snapshot, itsClock), { ...same, ...other });
    },
    stop,
  };
}

const serviceAccountController = 'serviceaccount-controller';

/** Resolves when the namespace `default` has its service account: before, nobody can create a pod there. */
async function podsAreAdmitted(client: KubeClient, signal: AbortSignal): Promise<void> {
  const accounts = client.resource('v1', 'serviceaccounts').namespace('default');
  for await (const { object } of accounts.watch({ signal })) if (object.metadata.name === 'default') return;
}

/** Loaded by those who serve it only. */
async function measuredGroup(said: SaidUsage, options: NodeMeasurementsOptions) {
  const [{ metricsGroup }, { nodeMeasurements }] = await Promise.all([
    import('./simulated-metrics/metrics-group.ts'),
    import('./simulated-metrics/node-measurements.ts'),
  ]);
  return metricsGroup(nodeMeasurements(options), said);
}
