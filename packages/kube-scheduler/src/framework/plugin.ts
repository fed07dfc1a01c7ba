import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ShapeResults } from '../cache/shape-results.ts';
import type { Retry } from './cluster-event.ts';
import type { Cluster } from './cluster.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { NodeToStatus } from './node-to-status.ts';
import type { Rejection, Status } from '../status.ts';

/**
 * The result of `preFilter`: nothing to do for this pod, a state for later calls (optionally with the only relevant
 * nodes), or a refusal on all nodes. A plugin whose `postFilter` needs its state even after a skip or refusal returns
 * both.
 */
export type PreFilterResult<S> =
  | 'skip'
  | { readonly state: S; readonly onlyNodes?: ReadonlySet<string>; readonly skip?: boolean }
  | { readonly state: S; readonly rejection: Rejection }
  | Rejection;

export type PostFilterResult =
  /** The pod can run on `nominate` once the victims are gone. */
  | { readonly kind: 'nominated'; readonly nominate: string; readonly victims?: number }
  /** `clearNomination` withdraws an earlier nomination. */
  | {
      readonly kind: 'unschedulable';
      readonly reasons: readonly string[];
      readonly clearNomination?: boolean;
    }
  | { readonly kind: 'error'; readonly reasons: readonly string[] };

export type PermitResult = Status | { readonly kind: 'wait'; readonly timeoutMs: number };

/**
 * A plugin: a name, and methods for extension points. `S` is the state that its `preFilter` creates for one scheduling
 * attempt, `R` that of `preScore`. After 'skip', the later methods of that half are not called; without the method they
 * receive `undefined`.
 */
export interface Plugin<S = undefined, R = undefined> {
  readonly name: string;
  readonly retryWhen?: readonly Retry[];
  /**
   * Whether `filter` depends only on the node with its pods, and on the pod's namespace, labels, priority, requests,
   * host ports, tolerations, node selector, affinity and node name. Its results are then cached for similar pods until
   * the node changes.
   */
  readonly isNodeLocal?: boolean;
  /** Whether `score`, with that state, depends on nothing else either, so that scores are cached, too. */
  scoresNodeAlone?(state: R): boolean;
  /** Whether the pod may enter the queue. */
  preEnqueue?(pod: PodInfo, cluster: Cluster): Status;
  /** Negative if `a` comes first. Exactly one plugin of a profile implements this. */
  queueSort?(a: QueuedOrder, b: QueuedOrder): number;
  preFilter?(pod: PodInfo, cluster: Cluster): PreFilterResult<S>;
  /** Returns the state after `other` was added to `node`. */
  addPod?(state: S, pod: PodInfo, other: PodInfo, node: NodeInfo, cluster: Cluster): void;
  removePod?(state: S, pod: PodInfo, other: PodInfo, node: NodeInfo, cluster: Cluster): void;
  /** Returns a copy that `addPod` and `removePod` may modify; required with these. */
  cloneState?(state: S): S;
  filter?(pod: PodInfo, node: NodeInfo, state: S, cluster: Cluster): Status;
  /** Called if no node fits; may make the pod schedulable. */
  postFilter?(pod: PodInfo, attempt: FailedAttempt<S>, cluster: Cluster): MaybePromise<PostFilterResult>;
  /** @param filterState the state from `preFilter` */
  preScore?(
    pod: PodInfo,
    nodes: readonly NodeInfo[],
    cluster: Cluster,
    filterState: S | undefined,
  ): 'skip' | { readonly state: R };
  /** Higher is better; from 0 to 100 unless `normalize` rescales it. */
  score?(pod: PodInfo, node: NodeInfo, state: R, cluster: Cluster): number;
  /** Rescales the scores of all nodes in place to 0..100. */
  normalize?(scores: number[], state: R, nodes: readonly NodeInfo[]): void;
  reserve?(pod: PodInfo, node: NodeInfo, state: S, cluster: Cluster): Status;
  /** Undoes `reserve`; also called if that was not reached. */
  unreserve?(pod: PodInfo, node: NodeInfo, state: S, cluster: Cluster): void;
  permit?(pod: PodInfo, node: NodeInfo, cluster: Cluster): PermitResult;
  /** Whether `preBind` has something to do. If undefined, it does. */
  preBindNeeded?(pod: PodInfo, node: NodeInfo, state: S): boolean;
  /** @throws an error that makes the attempt fail; the pod is retried after a back-off */
  preBind?(pod: PodInfo, node: NodeInfo, state: S, cluster: Cluster, signal: AbortSignal): Promise<void>;
  /** Returns whether it has bound the pod. @throws like `preBind` */
  bind?(pod: PodInfo, node: NodeInfo, cluster: Cluster): Promise<boolean>;
  postBind?(pod: PodInfo, node: NodeInfo, cluster: Cluster): void;
}

/** A plugin whose state types are known only to itself. */
export type AnyPlugin = Plugin<never, never>;

/** Erases the state types: the framework passes states only to the plugin that created them. */
export const plugin = <S = undefined, R = undefined>(definition: Plugin<S, R>): AnyPlugin =>
  definition as unknown as AnyPlugin;

/** What the queue is sorted by. */
export interface QueuedOrder {
  readonly info: PodInfo;
  /** When it entered the queue, in milliseconds of the clock. */
  readonly queuedMs: number;
}

/** The input of `postFilter`. */
export interface FailedAttempt<S> {
  /** `undefined` if the plugin's own `preFilter` was not reached. */
  readonly state: S | undefined;
  /** Why each node was refused; nodes without an entry were not evaluated. */
  readonly statuses: NodeToStatus;
  /** Applies to nodes without an entry. */
  readonly absentNodesStatus: Rejection;
  /** Returns cached results for a node to which these pods are nominated; only if nothing but node and pod matters. */
  memoFor(promised: readonly PodInfo[]): ShapeResults | undefined;
  /** Simulates the filters on a modified copy of a node. */
  simulate(node: NodeInfo): NodeSimulation;
}

/** A copy of a node from which pods can be removed before filters run again. */
export interface NodeSimulation {
  readonly node: NodeInfo;
  removePod(pod: PodInfo): void;
  addPod(pod: PodInfo): void;
  status(): Status;
}
