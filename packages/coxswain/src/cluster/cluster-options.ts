/** The options and the interface of a single-process cluster. */
import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { GuestFilters } from '@coxswain/apiserver/filters/chain.ts';
import type { UserInfo } from '@coxswain/apiserver';
import type { KubeClient, Transport } from '@coxswain/client';
import type { ControllerSettings } from '@coxswain/kube-controller-manager';
import type { KubeApiServer, KubeApiServerSettings } from '@coxswain/kube-apiserver';
import type { EtcdSettings } from '@coxswain/kube-apiserver/etcd-settings.ts';
import type { TransientValues } from '@coxswain/kube-apiserver/transient-values.ts';
import type { KubeSchedulerConfiguration, SchedulerPlugin } from '@coxswain/kube-scheduler';
import type { NodeSpec } from '@coxswain/kubelet';
import type { RunningKubelets } from '@coxswain/simulated-nodes';
import type { PodNetwork } from '@coxswain/simulated-nodes/network/pod-network.ts';
import type { DefinedImages } from '@coxswain/simulated-nodes/program/defined-images.ts';
import type { Durability } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import type { AddonName } from '../addons/addon-names.ts';
import type { ClusterCertificates } from '../certificates/certificates.ts';
import type { ClusterHistory, ClusterSnapshot, ClusterStorage } from '../storage/cluster-storage.ts';
import type { Components } from '../components/components.ts';
import type { ClusterNamesOptions } from '../names/dns-component.ts';
import type { NodeProxyOptions } from '../nodes/node-proxy.ts';
import type { RealNodeOptions } from '../nodes/real-node.ts';
import type { RecordingSwitch } from '@coxswain/trace/recording-switch.ts';
import type { DefinedWebhooks } from './defined-webhooks.ts';
import type { KwokObjects } from '../stages/kwok-objects.ts';

/** The observer that receives the cluster's steps. */
export const observerOf = ({ observer, recordings }: ClusterOptions): StepObserver | undefined =>
  observer ?? recordings?.observer;

/** How other machines reach the cluster. */
export interface JoinableOptions {
  /**
   * A URL that leads to any of the cluster's servers, such as `https://control-plane.example:6443`. Defaults to the
   * address of this server.
   */
  readonly endpoint?: string;
  /** `0.0.0.0` */
  readonly bindAddress: string;
  /** The address at which other machines reach this one. */
  readonly advertiseAddress: string;
  /** The pod address range of the cluster; each node gets a part of it. */
  readonly podRange: string;
  /** The directory for the CNI configuration of this machine's pods, if it has any. */
  readonly networkDirectory?: string;
}

export interface ClusterOptions {
  /** The LMDB directory. In memory if unset. */
  readonly storageDirectory?: string;
  /** How much history is kept for `coxswain history` and the web UI. Defaults to that of Kubernetes, five minutes. */
  readonly history?: ClusterHistory;
  /** The etcd to store in. If it is shared with other servers, one of them leads and the others wait. */
  readonly etcd?: EtcdSettings;
  /** `relaxed` acknowledges writes before they are on disk; a power failure may lose the most recent ones. */
  readonly durability?: Durability;
  /** The HTTPS port; 0 picks a free port. If unset, nothing listens. */
  readonly port?: number;
  /** The address to listen on. Defaults to 127.0.0.1, or to that of `joinable`. */
  readonly bindAddress?: string;
  /** The address behind the Service `kubernetes`, for pods of real nodes. Unreachable if the server only listens on 127.0.0.1. */
  readonly advertiseAddress?: string;
  readonly certificates?: ClusterCertificates & { readonly rootCertificateAuthority: string };
  /** As `--controllers`: `*`, `name`, `-name`. */
  readonly controllers?: readonly string[];
  /** Controller settings beyond those that follow from the other options. */
  readonly controllerSettings?: Partial<ControllerSettings>;
  /** The number of simulated nodes. */
  readonly nodes?: number | readonly NodeSpec[];
  /** Makes this machine a node with a container runtime. */
  readonly realNode?: RealNodeOptions;
  /** Routes service traffic to real pods with rules in this machine's kernel. */
  readonly nodeProxy?: NodeProxyOptions;
  /** Serves cluster DNS for real pods. */
  readonly names?: ClusterNamesOptions;
  /** Whether nodes are restricted by the Node authorizer and NodeRestriction. Defaults to true if there are real nodes. */
  readonly guardsNodes?: boolean;
  /** Lets other machines join as nodes. */
  readonly joinable?: JoinableOptions;
  /** How long simulated containers take to stop unless their pod specifies it. Defaults to 0. */
  readonly containerStopMs?: number;
  /** Images whose programs are functions, for simulated nodes. */
  readonly images?: DefinedImages | undefined;
  /** Webhooks that are functions. */
  readonly webhooks?: DefinedWebhooks | undefined;
  /** kwok stages for nodes annotated with `kwok.x-k8s.io/node: fake`, their pods, and any other kind. */
  readonly kwok?: KwokObjects;
  /** Whether the scheduler runs. Defaults to true. */
  readonly scheduler?: boolean;
  /** The configuration of the scheduler. */
  readonly schedulerConfiguration?: KubeSchedulerConfiguration | undefined;
  /** Plugins that are functions, in every profile unless the configuration names them. */
  readonly schedulerPlugins?: readonly SchedulerPlugin[] | undefined;
  /** Whether controllers and scheduler use leader election, as the programs do. Defaults to false. */
  readonly leaderElection?: boolean;
  readonly runtimeConfig?: string;
  /**
   * The number of threads that accept connections, as `--threads` of the API server, besides those for large requests;
   * 1 is this thread, more require `certificates`. If unset, there are no other threads at all.
   */
  readonly threads?: number;
  /** The version of Kubernetes to behave as, `1.34`. Defaults to this program's own. */
  readonly version?: string;
  /** What is audited, and where to; requires that this thread serves. */
  readonly audit?: KubeApiServerSettings['audit'];
  /** How values are encrypted in the store. */
  readonly encryption?: KubeApiServerSettings['encryption'];
  /** `AllAlpha=true,PodLogsQuerySplitStreams=false` */
  readonly featureGates?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  readonly clock?: Clock;
  readonly random?: Random;
  readonly newUid?: () => string;
  /** Defaults to this machine's random source. */
  readonly transient?: TransientValues;
  /** The host name of this machine, as published in leases. */
  readonly hostName?: string;
  /** Additional filters around the server, for tests. */
  readonly guests?: (storage: ClusterStorage) => GuestFilters;
  /** Add-ons for simulated nodes. Defaults to none. */
  readonly addons?: readonly AddonName[];
  /** Whether network policies are enforced between simulated pods. Defaults to true. */
  readonly networkPolicies?: boolean;
  /** Whether metrics.k8s.io is served for simulated pods. */
  readonly servesMetrics?: boolean;
  readonly observer?: StepObserver | undefined;
  /** Sees steps where `observer` is absent, and can be asked for recordings over HTTP. */
  readonly recordings?: RecordingSwitch | undefined;
  readonly log?: (line: string) => void;
  /**
   * Resolves when the caller has started everything else, too; long event loop turns are reported only from then on.
   */
  readonly processStarted?: Promise<unknown> | undefined;
}

export interface Cluster {
  readonly apiServer: KubeApiServer;
  /** The controllers by name, plus `scheduler` and `kubelets`; each can be stopped and started. */
  readonly components: Components;
  /** The names of the controllers. */
  readonly controllers: readonly string[];
  /** @throws Error for a cluster on an etcd */
  readonly storage: ClusterStorage;
  readonly kubelets: RunningKubelets;
  /** The current simulated nodes; empty while another server of the cluster runs them. */
  readonly simulatedNodes: readonly NodeSpec[];
  /** The network of simulated pods as seen from outside the cluster. */
  readonly network: PodNetwork;
  /** `https://127.0.0.1:6443`, if a port is open. */
  readonly address: string | undefined;
  /** A connection to the API server without a socket. Its objects are shared with the server and must not be modified. */
  transport(user?: UserInfo): Transport;
  /** A client whose objects belong to the caller. */
  client(user?: UserInfo): KubeClient;
  /** A snapshot of the cluster. In memory it costs nothing and can be kept indefinitely. */
  snapshot(): ClusterSnapshot;
  /**
   * Restores a snapshot. The components restart as after a crash, so that none of their state outlives the reset. In
   * memory, watches in this process that requested bookmarks receive the differences (restored objects have their old
   * resourceVersion, and a bookmark follows), and all others end with 410. On disk, the changes since the snapshot are
   * written back, which watches see as ordinary events. No resourceVersion is issued twice.
   * @throws Error if the history of a store on disk no longer reaches back to the snapshot, or for a cluster on an etcd
   */
  reset(snapshot: ClusterSnapshot, options?: ResetOptions): Promise<void>;
  /**
   * Creates another cluster with the current contents of this one (or those of `snapshot`), sharing unchanged data. It
   * opens no port unless requested.
   * @throws Error for a store on disk
   */
  fork(options?: ForkOptions): Promise<Cluster>;
  /** Stops the components, drains the server, closes the storage. */
  stop(): Promise<void>;
}

export interface ResetOptions {
  /** The simulated nodes after the reset. Defaults to the current ones. */
  readonly nodes?: readonly NodeSpec[];
  /** The components that run after the reset. Defaults to the running ones. */
  readonly running?: readonly string[];
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
  | 'transient'
  | 'guests'
  | 'images'
  | 'webhooks'
> {
  readonly snapshot?: ClusterSnapshot;
}

/** Nodes of this process, or of other machines that join. */
export const hasRealNodes = ({ realNode, joinable }: ClusterOptions): boolean =>
  realNode !== undefined || joinable !== undefined;
