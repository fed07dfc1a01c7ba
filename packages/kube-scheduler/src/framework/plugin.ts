import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ShapeResults } from '../cache/shape-results.ts';
import type { Retry } from './cluster-event.ts';
import type { Cluster } from './cluster.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { NodeToStatus } from './node-to-status.ts';
import type { Rejection, Status } from '../status.ts';

/**
 * What `preFilter` answers: nothing to do for this pod, a state for the later calls (optionally with the only
 * nodes worth looking at), or a refusal on all nodes. A plugin that has to know its state in `postFilter` also
 * when there is nothing to do, or when it refused, answers with both.
 */
export type PreFilterAnswer<S> =
  | 'skip'
  | { readonly state: S; readonly onlyNodes?: ReadonlySet<string>; readonly skip?: boolean }
  | { readonly state: S; readonly rejection: Rejection }
  | Rejection;

export type PostFilterAnswer =
  /** The pod can run on `nominate` once what stands in its way is gone. */
  | { readonly kind: 'nominated'; readonly nominate: string; readonly victims?: number }
  /** `clearNomination` takes an earlier nomination back. */
  | {
      readonly kind: 'unschedulable';
      readonly reasons: readonly string[];
      readonly clearNomination?: boolean;
    }
  | { readonly kind: 'error'; readonly reasons: readonly string[] };

export type PermitAnswer = Status | { readonly kind: 'wait'; readonly timeoutMs: number };

/**
 * A plugin: a name and what it does at which extension point. `S` is the state that its `preFilter` makes
 * for one scheduling attempt, `R` that of `preScore`. After 'skip', or without the method, the later methods
 * of that half are not called (skip) or get `undefined` (no method).
 */
export interface Plugin<S = undefined, R = undefined> {
  readonly name: string;
  readonly retryWhen?: readonly Retry[];
  /**
   * Whether `filter` looks at nothing but the node with its pods, and of the pod only at its namespace, labels,
   * priority, requests, host ports, tolerations, node selector, affinity and node name: then what it said is kept
   * for pods that are alike, until something changes on the node.
   */
  readonly isNodeLocal?: boolean;
  /** Whether `score`, with that state, looks at nothing but the same: then scores are kept, too. */
  scoresNodeAlone?(state: R): boolean;
  /** May the pod enter the queue at all? */
  preEnqueue?(pod: PodInfo, cluster: Cluster): Status;
  /** Negative when `a` goes first. Exactly one plugin of a profile has this. */
  queueSort?(a: QueuedOrder, b: QueuedOrder): number;
  preFilter?(pod: PodInfo, cluster: Cluster): PreFilterAnswer<S>;
  /** The state after `other` came to `node`. */
  addPod?(state: S, pod: PodInfo, other: PodInfo, node: NodeInfo, cluster: Cluster): void;
  removePod?(state: S, pod: PodInfo, other: PodInfo, node: NodeInfo, cluster: Cluster): void;
  /** A copy that `addPod` and `removePod` may change; needed with them. */
  cloneState?(state: S): S;
  filter?(pod: PodInfo, node: NodeInfo, state: S, cluster: Cluster): Status;
  /** Called when no node fits: can something be done about it? */
  postFilter?(pod: PodInfo, attempt: FailedAttempt<S>, cluster: Cluster): MaybePromise<PostFilterAnswer>;
  /** `filterState`: of `preFilter`. */
  preScore?(
    pod: PodInfo,
    nodes: readonly NodeInfo[],
    cluster: Cluster,
    filterState: S | undefined,
  ): 'skip' | { readonly state: R };
  /** Higher is better; 0 to 100 unless `normalize` makes it so. */
  score?(pod: PodInfo, node: NodeInfo, state: R, cluster: Cluster): number;
  /** Brings the scores of all nodes, in place, to 0..100. */
  normalize?(scores: number[], state: R, nodes: readonly NodeInfo[]): void;
  reserve?(pod: PodInfo, node: NodeInfo, state: S, cluster: Cluster): Status;
  /** Takes `reserve` back; called also when it was not reached. */
  unreserve?(pod: PodInfo, node: NodeInfo, state: S, cluster: Cluster): void;
  permit?(pod: PodInfo, node: NodeInfo, cluster: Cluster): PermitAnswer;
  /** Whether `preBind` will have something to do; yes, when the method is missing. */
  preBindNeeded?(pod: PodInfo, node: NodeInfo, state: S): boolean;
  /** @throws what makes the attempt fail; the pod is tried again after a back-off */
  preBind?(pod: PodInfo, node: NodeInfo, state: S, cluster: Cluster, signal: AbortSignal): Promise<void>;
  /** Answers whether it has bound the pod. @throws as `preBind` */
  bind?(pod: PodInfo, node: NodeInfo, cluster: Cluster): Promise<boolean>;
  postBind?(pod: PodInfo, node: NodeInfo, cluster: Cluster): void;
}

/** A plugin whose state types only it knows. */
export type AnyPlugin = Plugin<never, never>;

/** For the compiler: the framework hands each plugin back only its own states. */
export const plugin = <S = undefined, R = undefined>(definition: Plugin<S, R>): AnyPlugin =>
  definition as unknown as AnyPlugin;

/** What the queue is sorted by. */
export interface QueuedOrder {
  readonly info: PodInfo;
  /** When it entered the queue, in milliseconds of the clock. */
  readonly queuedMs: number;
}

/** What `postFilter` may work with. */
export interface FailedAttempt<S> {
  /** `undefined` when the plugin's own `preFilter` was not reached. */
  readonly state: S | undefined;
  /** Why each node was refused; nodes without an entry were not looked at. */
  readonly statuses: NodeToStatus;
  /** What holds for nodes without an entry. */
  readonly absentNodesStatus: Rejection;
  /** What was found out about a node that was promised to these; only where nothing but node and pod decides. */
  memoFor(promised: readonly PodInfo[]): ShapeResults | undefined;
  /** Tries the filters on a changed copy of a node. */
  simulate(node: NodeInfo): NodeSimulation;
}

/** A copy of a node on which pods can be removed and the filters asked again. */
export interface NodeSimulation {
  readonly node: NodeInfo;
  removePod(pod: PodInfo): void;
  addPod(pod: PodInfo): void;
  status(): Status;
}
