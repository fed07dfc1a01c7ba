/** The types of `coxswain`: a complete cluster in this process, in real time. For tests, see `coxswain/testing`. */
import type { KubeClient, NodeSpec, SchedulerPlugin, Transport } from './testing.d.ts';

export type {
  CandidateNode,
  KubeClient,
  KubeObject,
  NodeSpec,
  ResourceClient,
  SchedulerPlugin,
  Transport,
} from './testing.d.ts';

export interface ClusterOptions {
  /** The data directory. In memory if unset. */
  readonly storageDirectory?: string;
  /** `relaxed` acknowledges writes before they are on disk; a power failure may lose the most recent ones. */
  readonly durability?: 'sync' | 'relaxed';
  /** As `--controllers` of kube-controller-manager: `['*', '-job-controller']`. */
  readonly controllers?: readonly string[];
  /** The number of simulated nodes, or a list of them. Defaults to 1. */
  readonly nodes?: number | readonly NodeSpec[];
  /** How long simulated containers take to stop unless their pod specifies it. Defaults to 0. */
  readonly containerStopMs?: number;
  /** Whether the scheduler runs. Defaults to true. */
  readonly scheduler?: boolean;
  /** Plugins that are functions, in every profile. */
  readonly schedulerPlugins?: readonly SchedulerPlugin[];
  /** Whether controllers and scheduler use leader election, as the programs do. Defaults to false. */
  readonly leaderElection?: boolean;
  /** As `--runtime-config`: `api/legacy=true`. */
  readonly runtimeConfig?: string;
  /** `['AllAlpha=true', 'PodLogsQuerySplitStreams=false']` */
  readonly featureGates?: readonly string[];
  /** The version of Kubernetes to behave as, back to `1.33`. Defaults to `1.36`. */
  readonly version?: string;
  readonly disableAdmissionPlugins?: readonly string[];
  /** Whether metrics.k8s.io is served for simulated pods. */
  readonly servesMetrics?: boolean;
  /** Receives the log messages of the components. */
  readonly log?: (line: string) => void;
}

/** Missing options are those of the forked cluster. */
export interface ForkOptions {
  /** The snapshot to fork. Defaults to the current state. */
  readonly snapshot?: ClusterSnapshot;
  readonly controllers?: readonly string[];
  readonly nodes?: number | readonly NodeSpec[];
  readonly log?: (line: string) => void;
}

/** The contents of a cluster at a point in time. */
export interface ClusterSnapshot {
  readonly revision: number;
}

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

export interface Cluster {
  /** The controllers by name, plus `scheduler` and `kubelets`; each can be stopped and started. */
  readonly components: {
    readonly names: readonly string[];
    isRunning(name: string): boolean;
    start(name: string): Promise<void>;
    stop(name: string): Promise<void>;
    restart(name: string): Promise<void>;
  };
  /** The names of the controllers. */
  readonly controllers: readonly string[];
  /** The simulated nodes. */
  readonly kubelets: {
    readonly nodes: readonly NodeSpec[];
    add(node: NodeSpec): Promise<void>;
    /** Removes the machine with its containers. Its Node object is not deleted. */
    remove(name: string): Promise<void>;
    fail(name: string): Promise<void>;
    recover(name: string): Promise<void>;
  };
  /**
   * A connection to the API server without a socket, as an administrator by default. Its objects are shared with the
   * server and must not be modified.
   */
  transport(user?: User): Transport;
  /** A client whose objects belong to the caller. */
  client(user?: User): KubeClient;
  /** In memory, a snapshot costs nothing and can be kept indefinitely. */
  snapshot(): ClusterSnapshot;
  /** Restores a snapshot and resolves when the components have restarted. */
  reset(snapshot: ClusterSnapshot): Promise<void>;
  /** Creates another cluster with the contents of this one. @throws Error for a store on disk */
  fork(options?: ForkOptions): Promise<Cluster>;
  stop(): Promise<void>;
}

/**
 * Starts everything and resolves when the API is served, the controllers have filled their caches and the nodes are
 * registered.
 */
export function startCluster(options?: ClusterOptions): Promise<Cluster>;
