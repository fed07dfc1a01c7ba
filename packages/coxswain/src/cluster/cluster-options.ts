/** What a cluster of one process is asked for, and what is given back. */
import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { GuestFilters } from '@coxswain/apiserver/filters/chain.ts';
import type { UserInfo } from '@coxswain/apiserver';
import type { KubeClient, Transport } from '@coxswain/client';
import type { KubeApiServer } from '@coxswain/kube-apiserver';
import type { KubeSchedulerConfiguration } from '@coxswain/kube-scheduler';
import type { NodeSpec, RunningKubelets } from '@coxswain/kubelet';
import type { Durability } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import type { AddonName } from '../addons/addon-names.ts';
import type { ClusterCertificates } from '../certificates/certificates.ts';
import type { ClusterSnapshot, ClusterStorage } from '../storage/cluster-storage.ts';
import type { Components } from '../components/components.ts';
import type { ClusterNamesOptions } from '../names/dns-component.ts';
import type { NodeProxyOptions } from '../nodes/node-proxy.ts';
import type { RealNodeOptions } from '../nodes/real-node.ts';
import type { KwokObjects } from '../stages/kwok-objects.ts';

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
  /** Where pods of real nodes reach it: behind the Service `kubernetes`. That leads nowhere when only 127.0.0.1 is served. */
  readonly advertiseAddress?: string;
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
  /** Whether nodes may do no more than is theirs (Node authorizer, NodeRestriction): true where there are real ones. */
  readonly guardsNodes?: boolean;
  /** Other machines may become nodes. */
  readonly joinable?: JoinableOptions;
  /** How long containers take to stop, unless their pod says it; no time at all when absent. */
  readonly containerStopMs?: number;
  /** What becomes of nodes that are annotated `kwok.x-k8s.io/node: fake`, of their pods, and of anything else. */
  readonly kwok?: KwokObjects;
  /** Whether the scheduler runs. Defaults to true. */
  readonly scheduler?: boolean;
  /** Its profiles, extenders and waits; as by default when absent. */
  readonly schedulerConfiguration?: KubeSchedulerConfiguration | undefined;
  /** Whether controllers and scheduler hold the leases of leaders, as programs do; they don't when absent. */
  readonly leaderElection?: boolean;
  readonly runtimeConfig?: string;
  /** How many threads serve requests, as `--threads` of the API server; absent: this one alone. */
  readonly threads?: number;
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
  /** What clusters have beside Kubernetes, for simulated nodes; nothing when absent. */
  readonly addons?: readonly AddonName[];
  /** Whether network policies are enforced between simulated pods. Defaults to true. */
  readonly networkPolicies?: boolean;
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
  /** Into the API server, without a socket. Objects that come by it are shared with the server: they must not be changed. */
  transport(user?: UserInfo): Transport;
  /** Its objects are the caller's own. */
  client(user?: UserInfo): KubeClient;
  /** What the cluster holds now. Costs nothing in memory, and may be kept for as long as wanted. */
  snapshot(): ClusterSnapshot;
  /**
   * Holds again what it held then. The components begin anew, as after a crash: nothing that they had in mind
   * outlives what it was about. In memory, watches in this process that asked for bookmarks are told of the changes
   * since (what is put back has the resourceVersion that it had, and a bookmark ends it), all others end with 410. On
   * disk, what was written since is written back, and watches see it as ordinary changes. No resourceVersion is
   * given out twice.
   * @throws Error when a store on disk no longer knows that past
   */
  reset(snapshot: ClusterSnapshot, options?: ResetOptions): Promise<void>;
  /**
   * Another cluster, which begins with what this one holds now (or held at `snapshot`) and shares all that does
   * not change. It serves no port unless one is asked for.
   * @throws Error for a store on disk
   */
  fork(options?: ForkOptions): Promise<Cluster>;
  /** Stops the components, drains the server, closes the storage. */
  stop(): Promise<void>;
}

export interface ResetOptions {
  /** Which nodes are simulated from then on; those that there are when absent. */
  readonly nodes?: readonly NodeSpec[];
  /** Which components run from then on; those that do when absent. */
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
  | 'guests'
> {
  readonly snapshot?: ClusterSnapshot;
}
