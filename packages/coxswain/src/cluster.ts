/**
 * The all-in-one: API server, controllers, scheduler and simulated nodes joined in one process. The parts
 * talk through in-process transports, each as the user that it is in the original.
 */

import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import type { KubeClient, Transport } from '@coxswain/client';
import { InformerFactory, createClient } from '@coxswain/client';
import type { KubeApiServer } from '@coxswain/kube-apiserver';
import { networkForwarder, networkKubelets, createKubeApiServer } from '@coxswain/kube-apiserver';
import type { RunningControllers } from '@coxswain/kube-controller-manager';
import { startControllers } from '@coxswain/kube-controller-manager';
import type { RunningScheduler } from '@coxswain/kube-scheduler';
import { startScheduler } from '@coxswain/kube-scheduler';
import type { RunningKubelets } from '@coxswain/kubelet';
import { startKubelets } from '@coxswain/kubelet';
import type { UserInfo } from '@coxswain/apiserver';
import type { Durability } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import type { ClusterCertificates } from './certificates.ts';
import {
  administrator,
  nodesUser,
  schedulerUser,
  controllerManagerUser,
  serviceAccountUser,
} from './component-users.ts';
import { forkedFrom, openClusterStorage, putBack, snapshotOf } from './cluster-storage.ts';
import type { ClusterSnapshot, ClusterStorage } from './cluster-storage.ts';
import { kubeletBridge } from './kubelet-bridge.ts';
import { stoppableTransport } from './stoppable-transport.ts';
import { WriteGate, WriteRefused } from './write-gate.ts';

/** As kubeadm and most other installers choose it. */
const serviceClusterIpRange = '10.96.0.0/12';

export interface ClusterOptions {
  /** The LMDB directory; in memory without. */
  readonly storageFolder?: string;
  /** 'relaxed': a write is answered before the disk has it; a loss of power may take the last ones. */
  readonly durability?: Durability;
  /** HTTPS is served there; 0 is any free port; without it nothing listens. */
  readonly port?: number;
  readonly certificates?: ClusterCertificates & { readonly rootCertificateAuthority: string };
  /** As `--controllers`: `*`, `name`, `-name`. */
  readonly controllers?: readonly string[];
  /** How many simulated nodes. */
  readonly nodes?: number;
  readonly runtimeConfig?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  readonly log?: (line: string) => void;
}

export interface Cluster {
  readonly apiServer: KubeApiServer;
  readonly controllers: RunningControllers;
  readonly scheduler: RunningScheduler;
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
  'port' | 'certificates' | 'controllers' | 'nodes' | 'observer' | 'log'
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

async function startOn(storage: ClusterStorage, options: ClusterOptions): Promise<Cluster> {
  const { clock = systemClock, random = systemRandom, observer, log = () => {} } = options;
  let kubelets: RunningKubelets | undefined;
  // To pods and extension servers, and to nodes of other processes.
  const forwarder = networkForwarder({});
  const apiServer = await createKubeApiServer({
    clock,
    random,
    log,
    storage,
    forwarder,
    runtimeConfig: options.runtimeConfig,
    kubelets: kubeletBridge({
      kubelets: () => kubelets,
      elsewhere: networkKubelets(forwarder),
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
  const component = (user: UserInfo): KubeClient =>
    createClient({
      transport: gate.transport(stoppableTransport(transport(user), signal)),
      clock,
      observer,
    });
  const client = (user?: UserInfo): KubeClient =>
    createClient({ transport: transport(user), clock, observer });
  const onError = (component: string) => (error: unknown) => {
    if (!signal.aborted && !(error instanceof WriteRefused))
      log(`${component}: ${error instanceof Error ? error.message : String(error)}`);
  };
  const shared = { clock, random, observer, signal };
  // One watch of each kind serves all components.
  const informers = new InformerFactory({
    client: component(controllerManagerUser),
    clock,
    random,
    observer,
    onError: onError('informers'),
  });
  const controllers = startControllers({
    ...shared,
    informers,
    client: component(controllerManagerUser),
    clientFor: (name) => component(serviceAccountUser(name)),
    controllers: options.controllers ?? ['*'],
    settings:
      options.certificates === undefined
        ? {}
        : { rootCertificateAuthority: options.certificates.rootCertificateAuthority },
    onError: (error, controller, key) =>
      onError(key === undefined ? controller : `${controller} ${key}`)(error),
  });
  const scheduler = startScheduler({
    ...shared,
    informers,
    client: component(schedulerUser),
    onError: onError('scheduler'),
  });
  kubelets = startKubelets({
    ...shared,
    informers,
    client: component(nodesUser),
    nodes: options.nodes ?? 1,
    onError: onError('kubelet'),
  });
  informers.start(signal);
  await Promise.all([controllers.synced, scheduler.synced, kubelets.registered]);

  return {
    apiServer,
    controllers,
    scheduler,
    kubelets,
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
      return startOn(forkedFrom(snapshot, clock), { ...same, ...other });
    },
    async stop() {
      stopping.abort(new Error('the cluster is stopping'));
      await Promise.all([controllers.stopped, scheduler.stopped, kubelets?.stopped]);
      await apiServer.stop();
    },
  };
}

function servingSettings({ port, certificates }: ClusterOptions) {
  return {
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
