/**
 * The all-in-one: API server, controllers, scheduler and simulated nodes joined in one process. The parts
 * talk through in-process transports, each as the user that it is in the original.
 */

import { readFileSync } from 'node:fs';
import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import type { KubeClient, Transport } from '@coxswain/client';
import { InformerFactory, createClient } from '@coxswain/client';
import type { KubeApiServer } from '@coxswain/kube-apiserver';
import { networkForwarder, networkKubelets, createKubeApiServer } from '@coxswain/kube-apiserver';
import { featureGates } from '@coxswain/apiserver/features/feature-gates.ts';
import type { GuestFilters } from '@coxswain/apiserver/filters/chain.ts';
import { informersDuring } from '@coxswain/client/cache/informers-during.ts';
import { enabledControllers, signedByOne, startControllers } from '@coxswain/kube-controller-manager';
import type { ControllerSettings } from '@coxswain/kube-controller-manager';
import { defaultSettings as defaultControllerSettings } from '@coxswain/kube-controller-manager/settings.ts';
import { startScheduler } from '@coxswain/kube-scheduler';
import type { NodeSpec, RunningKubelets } from '@coxswain/kubelet';
import { startKubelets } from '@coxswain/kubelet';
import type { UserInfo } from '@coxswain/apiserver';
import type { Durability } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import type { ClusterCertificates } from './certificates.ts';
import {
  administrator,
  nodeUser,
  nodesUser,
  proxyUser,
  schedulerUser,
  controllerManagerUser,
  serviceAccountUser,
} from './component-users.ts';
import { forkedFrom, openClusterStorage, putBack, snapshotOf } from './cluster-storage.ts';
import type { ClusterSnapshot, ClusterStorage } from './cluster-storage.ts';
import { Components } from './components.ts';
import type { Component, StartedComponent } from './components.ts';
import type { Stage } from './stages/stage.ts';
import type { StagePlayerOptions } from './stages/stage-player.ts';
import { clusterDnsAddress, clusterDomain, serviceClusterIpRange } from './cluster-addresses.ts';
import { leaderLeases } from './leader-leases.ts';
import { kubeletBridge } from './kubelet-bridge.ts';
import { joinableComponent } from './joining/joinable-component.ts';
import { reachableAt } from './joining/server-objects.ts';
import type { JoinableCluster } from './joining/server-objects.ts';
import { loadBalancersComponent } from './load-balancers/load-balancers-component.ts';
import { clusterNamesComponent } from './names/dns-component.ts';
import type { ClusterNamesOptions } from './names/dns-component.ts';
import { nodeNetworkComponent } from './node-network/network-component.ts';
import type { NodeNetworkOptions } from './node-network/network-component.ts';
import type { RealKubelet } from '@coxswain/kubelet/start-real-kubelet.ts';
import { nodeProxyComponent } from './node-proxy.ts';
import type { NodeProxyOptions } from './node-proxy.ts';
import { realNodeComponent, realNodeName } from './real-node.ts';
import type { RealNodeOptions } from './real-node.ts';
import { stoppableTransport } from './stoppable-transport.ts';
import { WriteGate, WriteRefused } from './write-gate.ts';

/** How other machines reach the cluster. */
export interface JoinableOptions {
  /** `0.0.0.0` */
  readonly bindAddress: string;
  /** Of this machine, as others know it. */
  readonly advertiseAddress: string;
  /** Addresses of all pods; each node gets a part. */
  readonly podRange: string;
  /** Where the network of this machine's own pods is written, when it has pods. */
  readonly networkFolder?: string;
}

export interface ClusterOptions {
  /** The LMDB directory; in memory without. */
  readonly storageFolder?: string;
  /** 'relaxed': a write is answered before the disk has it; a loss of power may take the last ones. */
  readonly durability?: Durability;
  /** HTTPS is served there; 0 is any free port; without it nothing listens. */
  readonly port?: number;
  /** Where HTTPS is served; 127.0.0.1 when absent, and where others join, what `joinable` says. */
  readonly bindAddress?: string;
  readonly certificates?: ClusterCertificates & { readonly rootCertificateAuthority: string };
  /** As `--controllers`: `*`, `name`, `-name`. */
  readonly controllers?: readonly string[];
  /** How many simulated nodes. */
  readonly nodes?: number | readonly NodeSpec[];
  /** This machine as a node, with a container runtime. */
  readonly realNode?: RealNodeOptions;
  /** Carries packets for services to real pods, by rules in this machine's kernel. */
  readonly nodeProxy?: NodeProxyOptions;
  /** Answers DNS questions about the cluster, for real pods. */
  readonly names?: ClusterNamesOptions;
  /** Other machines may become nodes. */
  readonly joinable?: JoinableOptions;
  /** How long containers take to stop, unless their pod says it; no time at all when absent. */
  readonly containerStopMs?: number;
  /** What becomes of nodes that are annotated `kwok.x-k8s.io/node: fake`, of their pods, and of anything else. */
  readonly stages?: readonly Stage[];
  /** Whether pods are given nodes; true when absent. */
  readonly scheduler?: boolean;
  /** Whether controllers and scheduler hold the leases of leaders, as programs do; they don't when absent. */
  readonly leaderElection?: boolean;
  readonly runtimeConfig?: string;
  /** `AllAlpha=true,PodLogsQuerySplitStreams=false` */
  readonly featureGates?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  readonly clock?: Clock;
  readonly random?: Random;
  readonly newUid?: () => string;
  /** Of this machine, as the server tells it in leases. */
  readonly hostName?: string;
  /** Filters of a test, around what the server does. */
  readonly guests?: (storage: ClusterStorage) => GuestFilters;
  /** Whether metrics.k8s.io tells what simulated pods use. */
  readonly servesMetrics?: boolean;
  readonly observer?: StepObserver | undefined;
  readonly log?: (line: string) => void;
}

export interface Cluster {
  readonly apiServer: KubeApiServer;
  /** Controllers by their names, `scheduler` and `kubelets`: each can be stopped and started again. */
  readonly components: Components;
  /** The names of the controllers. */
  readonly controllers: readonly string[];
  readonly storage: ClusterStorage;
  readonly kubelets: RunningKubelets;
  /** `https://127.0.0.1:6443` when a port is served. */
  readonly address: string | undefined;
  /** Into the API server, without a socket. */
  transport(user?: UserInfo): Transport;
  client(user?: UserInfo): KubeClient;
  /** What the cluster holds now. Costs nothing in memory, and may be kept for as long as wanted. */
  snapshot(): ClusterSnapshot;
  /**
   * Holds again what it held then, and resolves when the components know. In memory that takes as long as there
   * are changes since, whatever else there is: watches in this process that asked for bookmarks are told of them
   * (what is put back has the resourceVersion that it had, and a bookmark ends it), all others end with 410. On
   * disk, what was written since is written back, and watches see it as ordinary changes. No resourceVersion is
   * given out twice; writes of components that were decided upon what is gone are refused.
   * @throws Error when a store on disk no longer knows that past
   */
  reset(snapshot: ClusterSnapshot): Promise<void>;
  /**
   * Another cluster, which begins with what this one holds now (or held at `snapshot`) and shares all that does
   * not change. It serves no port unless one is asked for.
   * @throws Error for a store on disk
   */
  fork(options?: ForkOptions): Promise<Cluster>;
  /** Stops the components, drains the server, closes the storage. */
  stop(): Promise<void>;
}

export interface ForkOptions extends Pick<
  ClusterOptions,
  | 'port'
  | 'certificates'
  | 'controllers'
  | 'nodes'
  | 'observer'
  | 'log'
  | 'clock'
  | 'random'
  | 'newUid'
  | 'guests'
> {
  readonly snapshot?: ClusterSnapshot;
}

/**
 * Starts everything and resolves when the API is served, the controllers have filled their caches and the
 * nodes are registered.
 * @throws Error with one clear line for an occupied port, or a data directory that cannot be used
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { clock = systemClock, storageFolder, durability } = options;
  return startOn(await openClusterStorage({ clock, storageFolder, durability }), options);
}

/** The same, beginning with what a cluster in memory held then. @throws Error for a snapshot of a store on disk */
export const startClusterFrom = (
  snapshot: ClusterSnapshot,
  options: Omit<ClusterOptions, 'storageFolder' | 'durability'>,
): Promise<Cluster> => startOn(forkedFrom(snapshot, options.clock ?? systemClock), options);

async function startOn(storage: ClusterStorage, options: ClusterOptions): Promise<Cluster> {
  const { clock = systemClock, random = systemRandom, observer, log = () => {} } = options;
  let kubelets: RunningKubelets | undefined;
  let realKubelet: RealKubelet | undefined;
  // To pods and extension servers, and to nodes of other processes.
  const forwarder = networkForwarder(kubeletClient(options));
  const apiServer = await createKubeApiServer({
    clock,
    random,
    log,
    storage,
    forwarder,
    runtimeConfig: options.runtimeConfig,
    ...(options.newUid && { newUid: options.newUid }),
    ...(options.hostName && { hostName: options.hostName }),
    ...(options.featureGates && { featureGates: options.featureGates }),
    ...(options.disableAdmissionPlugins && { disableAdmissionPlugins: options.disableAdmissionPlugins }),
    ...(options.guests && { guests: options.guests(storage) }),
    ...(options.servesMetrics === true && {
      extraGroups: [
        (await import('./simulated-metrics/metrics-group.ts')).metricsGroup(async (nodeName) =>
          realKubelet !== undefined && nodeName === realNodeName(options.realNode ?? {})
            ? (await realKubelet.usage()).current()
            : undefined,
        ),
      ],
    }),
    kubelets: kubeletBridge({
      kubelets: () => kubelets,
      elsewhere: networkKubelets(forwarder, nearAddressTypes),
      clock,
      log,
    }),
    serviceClusterIpRanges: [serviceClusterIpRange],
    ...(observer && { observer }),
    ...servingSettings(options),
  });
  const stopping = new AbortController();
  const gate = new WriteGate();
  const { signal } = stopping;
  const transport = (user: UserInfo = administrator): Transport => apiServer.inProcess(user);
  const component = (user: UserInfo, until: AbortSignal = signal): KubeClient =>
    createClient({
      transport: gate.transport(stoppableTransport(transport(user), until)),
      clock,
      observer,
    });
  const client = (user?: UserInfo): KubeClient =>
    createClient({ transport: transport(user), clock, observer });
  const onError =
    (component: string, until: AbortSignal = signal) =>
    (error: unknown) => {
      if (!until.aborted && !(error instanceof WriteRefused))
        log(`${component}: ${error instanceof Error ? error.message : String(error)}`);
    };
  // One watch of each kind serves all components.
  const informers = new InformerFactory({
    client: component(controllerManagerUser),
    clock,
    random,
    observer,
    onError: onError('informers'),
  });
  const shared = (until: AbortSignal) => ({
    clock,
    random,
    observer,
    signal: until,
    informers: informersDuring(informers, until),
  });
  const settings: Partial<ControllerSettings> = {
    ...(options.joinable && nodeRangeSettings(options.joinable)),
    ...(options.certificates && managerSettings(options.certificates)),
    ...(options.featureGates && { isFeatureOn: featureGates(options.featureGates).enabled }),
  };
  const startController = (name: string, until: AbortSignal): StartedComponent => {
    const { synced, stopped } = startControllers({
      ...shared(until),
      client: component(controllerManagerUser, until),
      clientFor: (account) => component(serviceAccountUser(account), until),
      controllers: [name],
      settings,
      onError: (error, controller, key) =>
        onError(key === undefined ? controller : `${controller} ${key}`, until)(error),
    });
    return { ready: synced, stopped };
  };
  const wanted = [...(options.controllers ?? ['*']), ...(options.joinable ? joiningControllers : [])];
  const controllerNames = enabledControllers(wanted, settings.isFeatureOn).map(({ name }) => name);
  const components = new Components([
    ...controllerNames.map((name) => ({
      name,
      start: (until: AbortSignal) => startController(name, until),
    })),
    {
      name: 'scheduler',
      start(until) {
        const { synced, stopped } = startScheduler({
          ...shared(until),
          client: component(schedulerUser, until),
          isFeatureOn: settings.isFeatureOn,
          onError: onError('scheduler', until),
        });
        return { ready: synced, stopped };
      },
    },
    {
      name: 'kubelets',
      start(until) {
        const running = startKubelets({
          ...shared(until),
          client: component(nodesUser, until),
          nodes: options.nodes ?? 1,
          containerStopMs: options.containerStopMs,
          onError: onError('kubelet', until),
        });
        kubelets = running;
        return { ready: running.registered, stopped: running.stopped };
      },
    },
    ...(options.leaderElection === true
      ? [
          leaderLeases({
            client,
            clock,
            random,
            newUid: options.newUid ?? (() => crypto.randomUUID()),
            onError: onError('leader election'),
          }),
        ]
      : []),
    ...stagesComponent(options.stages, (stages, until) => ({
      ...shared(until),
      stages,
      client: component(nodesUser, until),
      onError: onError('stages', until),
    })),
    ...realNodeComponent(options.realNode, {
      clientUntil: (until) => component(nodeUser(realNodeName(options.realNode ?? {})), until),
      certificates: options.certificates,
      clock,
      random,
      started: (kubelet) => (realKubelet = kubelet),
      log,
    }),
    ...nodeNetworkComponent(ownNetwork(options), {
      clientUntil: (until) => component(controllerManagerUser, until),
      clock,
      random,
      onError: onError('node network'),
    }),
    ...nodeProxyComponent(options.nodeProxy, {
      clientUntil: (until) => component(proxyUser, until),
      informersUntil: (until) => informersDuring(informers, until),
      clock,
      log,
    }),
    ...clusterNamesComponent(options.names, {
      clientUntil: (until) => component(administrator, until),
      informersUntil: (until) => informersDuring(informers, until),
      clock,
      random,
      onError: onError('dns'),
    }),
    ...loadBalancersComponent(options.realNode !== undefined || options.joinable !== undefined, (until) => ({
      client: component(administrator, until),
      informers: informersDuring(informers, until),
      signal: until,
      clock,
      random,
      onError: onError('load balancers', until),
    })),
    ...joinableComponent(options.joinable && (() => joinableCluster(options, apiServer.address)), (until) =>
      component(administrator, until),
    ),
  ]);
  const started = components.names
    .filter((name) => name !== 'scheduler' || options.scheduler !== false)
    .map((name) => components.start(name));
  informers.start(signal);
  await Promise.all(started);

  return {
    apiServer,
    components,
    controllers: controllerNames,
    get kubelets() {
      return kubelets!;
    },
    storage,
    address: apiServer.address,
    transport,
    client,
    snapshot: () => snapshotOf(storage),
    reset: (snapshot) =>
      gate.closedDuring(async () => {
        await putBack(storage, snapshot);
        if (snapshot.inMemory !== undefined) await informers.caughtUp(storage.currentRevision);
      }),
    fork: async ({ snapshot = snapshotOf(storage), ...other } = {}) => {
      const { storageFolder: _folder, port: _port, ...same } = options;
      const { clock: itsClock = clock } = other;
      return startOn(forkedFrom(snapshot, itsClock), { ...same, ...other });
    },
    async stop() {
      stopping.abort(new Error('the cluster is stopping'));
      await Promise.all([components.stopAll(), informers.stopped()]);
      await apiServer.stop();
    },
  };
}

/** Off where nobody joins. */
const joiningControllers: readonly string[] = ['bootstrap-signer-controller', 'token-cleaner-controller'];

const nodeRangeSettings = ({ podRange }: JoinableOptions): Partial<ControllerSettings> => ({
  allocatesNodeRanges: true,
  nodeRanges: {
    ...defaultControllerSettings.nodeRanges,
    clusterRanges: [podRange],
    serviceRanges: [serviceClusterIpRange],
  },
});

/** Where the range of this machine's pods is not fixed, its network waits for the one that the node is given. */
function ownNetwork({ joinable, realNode }: ClusterOptions): NodeNetworkOptions | undefined {
  if (realNode === undefined || joinable?.networkFolder === undefined) return undefined;
  const { podRange, networkFolder } = joinable;
  return { nodeName: realNodeName(realNode), podRange, networkFolder };
}

function joinableCluster(options: ClusterOptions, address: string | undefined): JoinableCluster {
  const { joinable, certificates } = options;
  if (joinable === undefined || certificates === undefined || address === undefined)
    throw new Error('a cluster that machines can join needs a port and certificates');
  return {
    server: reachableAt(joinable.advertiseAddress, address),
    certificateAuthority: certificates.rootCertificateAuthority,
    clusterDns: clusterDnsAddress,
    clusterDomain,
    podRange: joinable.podRange,
  };
}

/** A real node is found by its address; its name need not resolve. */
const nearAddressTypes = ['InternalIP', 'ExternalIP', 'Hostname'] as const;

/** What this server shows to kubelets of other processes. */
const kubeletClient = ({ certificates }: ClusterOptions) => ({
  certificateFile: certificates?.adminCertFile,
  keyFile: certificates?.adminKeyFile,
});

/** Loaded by those who have stages only. */
const stagesComponent = (
  stages: readonly Stage[] | undefined,
  optionsOf: (stages: readonly Stage[], until: AbortSignal) => StagePlayerOptions,
): readonly Component[] =>
  stages === undefined || stages.length === 0
    ? []
    : [
        {
          name: 'stages',
          start(until) {
            const started = import('./stages/stage-player.ts').then(({ startStages }) =>
              startStages(optionsOf(stages, until)),
            );
            return {
              ready: started.then(({ ready }) => ready),
              stopped: started.then(({ stopped }) => stopped),
            };
          },
        },
      ];

/** The authority of the cluster signs certificates; its files are read when they are needed. */
const managerSettings = (
  certificates: NonNullable<ClusterOptions['certificates']>,
): Partial<ControllerSettings> => ({
  rootCertificateAuthority: certificates.rootCertificateAuthority,
  serviceAccountKey: () => readFileSync(certificates.serviceAccountKeyFile, 'utf8'),
  signingPairs: signedByOne({ certFile: certificates.caCertFile, keyFile: certificates.caKeyFile }),
});

function servingSettings({ port, bindAddress, certificates, joinable }: ClusterOptions) {
  return {
    ...(bindAddress !== undefined && { bindAddress }),
    ...(joinable !== undefined && {
      bindAddress: joinable.bindAddress,
      advertiseAddress: joinable.advertiseAddress,
      authorizationModes: ['Node', 'RBAC'] as const,
      enableAdmissionPlugins: ['NodeRestriction'],
      authenticationFlags: { hasBootstrapTokens: true },
    }),
    ...(port !== undefined && { securePort: port }),
    ...(certificates !== undefined && {
      tlsCertFile: certificates.servingCertFile,
      tlsPrivateKeyFile: certificates.servingKeyFile,
      clientCaFile: certificates.caCertFile,
      serviceAccountKeyFiles: [certificates.serviceAccountPublicKeyFile],
      serviceAccountSigningKeyFile: certificates.serviceAccountKeyFile,
    }),
  };
}
