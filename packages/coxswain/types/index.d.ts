/** The types of `coxswain`: a whole cluster in this process, in the machine's own time. For tests: `coxswain/testing`. */
import type { KubeClient, NodeSpec, Transport } from './testing.d.ts';

export type { KubeClient, KubeObject, NodeSpec, ResourceClient, Transport } from './testing.d.ts';

export interface ClusterOptions {
  /** The directory of its data; in memory without. */
  readonly storageFolder?: string;
  /** `relaxed`: a write is answered before the disk has it; a loss of power may take the last ones. */
  readonly durability?: 'sync' | 'relaxed';
  /** As `--controllers` of kube-controller-manager: `['*', '-job-controller']`. */
  readonly controllers?: readonly string[];
  /** How many simulated nodes, or which; one when absent. */
  readonly nodes?: number | readonly NodeSpec[];
  /** How long containers take to stop, unless their pod says it; no time at all when absent. */
  readonly containerStopMs?: number;
  /** Whether the scheduler runs. Defaults to true. */
  readonly scheduler?: boolean;
  /** Whether controllers and scheduler hold the leases of leaders, as programs do; they don't when absent. */
  readonly leaderElection?: boolean;
  /** As `--runtime-config`: `api/legacy=true`. */
  readonly runtimeConfig?: string;
  /** `['AllAlpha=true', 'PodLogsQuerySplitStreams=false']` */
  readonly featureGates?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** Whether metrics.k8s.io tells what simulated pods use. */
  readonly servesMetrics?: boolean;
  /** Hears what components complain of. */
  readonly log?: (line: string) => void;
}

/** What is absent is as of the cluster that is forked. */
export interface ForkOptions {
  /** From then; from now when absent. */
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
  /** Controllers by their names, `scheduler` and `kubelets`: each can be stopped and started again. */
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
    /** The machine is taken away, with its containers; its Node is yours to delete. */
    remove(name: string): Promise<void>;
    fail(name: string): Promise<void>;
    recover(name: string): Promise<void>;
  };
  /**
   * Into the API server without a socket; as an administrator when no user is given. Objects that come by it are shared
   * with the server: they must not be changed.
   */
  transport(user?: User): Transport;
  /** Its objects are yours. */
  client(user?: User): KubeClient;
  /** Costs nothing in memory, and may be kept for as long as wanted. */
  snapshot(): ClusterSnapshot;
  /** Holds again what it held then, and resolves when the components know. */
  reset(snapshot: ClusterSnapshot): Promise<void>;
  /** Another cluster that begins with what this one holds. @throws Error for a store on disk */
  fork(options?: ForkOptions): Promise<Cluster>;
  stop(): Promise<void>;
}

/**
 * Starts everything and resolves when the API is served, the controllers have filled their caches and the nodes are
 * registered.
 */
export function startCluster(options?: ClusterOptions): Promise<Cluster>;
