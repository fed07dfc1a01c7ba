import type * as coordination from '@coxswain/api/coordination/v1/index.ts';
import {
  deepEqual,
  formatMicroTime,
  isStatusError,
  type Clock,
  type KubeObject,
  type Random,
  type Live,
} from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { KubeClient } from '@coxswain/client';
import { withForeignResources } from './foreign-resources.ts';
import { nodeConditions, nodeLabels, nodeObject } from './node-object.ts';
import { defaultCapacity, type NodeSpec } from './node-spec.ts';

/** The intervals at which a node renews its lease and reports its status. */
export interface NodePace {
  /** The duration of a lease, which is renewed four times within it. */
  readonly leaseDurationSeconds: number;
  /** The interval at which a real node's status is computed; changes are written at once. */
  readonly statusCheckEveryMs: number;
  /** The interval at which an unchanged status is written. */
  readonly statusReportEveryMs: number;
}

/** The defaults of KubeletConfiguration. */
export const defaultNodePace: NodePace = {
  leaseDurationSeconds: 40,
  statusCheckEveryMs: 10_000,
  statusReportEveryMs: 5 * 60_000,
};
const renewJitter = 0.04;
/** The interval of checks until the node is first ready; limited to the time below. */
const startingCheckEveryMs = 250;
const startingMsMax = 2 * 60_000;
/** The initial delay before retrying if the API doesn't accept the node or the lease; it doubles. */
const retryMsInitial = 100;
const retryMsMax = 7_000;
export const leaseNamespace = 'kube-node-lease';

export interface NodeAgentOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly spec: NodeSpec;
  /** `containerd://2.1.0` */
  readonly runtimeVersion: string;
  /** Returns the node's current state beyond `spec`; called every `statusCheckEveryMs`. */
  readonly describe?: () => Promise<Node & KubeObject>;
  readonly pace?: NodePace;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

type Lease = Live<coordination.Lease>;

/** Registers the node with the API and sends heartbeats. */
export class NodeAgent {
  readonly #options: NodeAgentOptions;
  readonly #pace: NodePace;
  #node: (Node & KubeObject) | undefined;
  #lease: Lease | undefined;
  #readySinceMs = 0;
  #reportedMs = 0;

  constructor(options: NodeAgentOptions) {
    this.#options = options;
    this.#pace = options.pace ?? defaultNodePace;
  }

  get node(): (Node & KubeObject) | undefined {
    return this.#node;
  }

  /** Resolves when the node is registered. @throws StatusError for a simulated node that the API will never accept */
  async register(): Promise<void> {
    this.#readySinceMs = this.#options.clock.now();
    await this.#persist(async () => {
      this.#node = await this.#createOrGet();
    });
  }

  /** Renews the lease and the status until the signal aborts. */
  async run(): Promise<void> {
    const { leaseDurationSeconds, statusReportEveryMs } = this.#pace;
    await Promise.all([
      this.#every(
        () => ((leaseDurationSeconds * 1000) / 4) * (1 + this.#options.random.next() * renewJitter),
        () => this.#renewLease(),
        true,
      ),
      this.#options.describe === undefined
        ? this.#every(
            () => statusReportEveryMs * (1 + this.#options.random.next() / 2),
            () => this.#reportStatus(),
            false,
          )
        : this.#every(
            () => this.#checkDelayMs(),
            () => this.#reportReal(this.#options.describe!),
            false,
          ),
    ]);
  }

  /** A node that is about to become ready is checked more often. */
  #checkDelayMs(): number {
    const { clock, random } = this.#options;
    const isStarting = clock.now() - this.#readySinceMs < startingMsMax;
    const ready = this.#node?.status.conditions?.find(({ type }) => type === 'Ready');
    if (isStarting && ready?.status !== 'True') return startingCheckEveryMs;
    return this.#pace.statusCheckEveryMs * (1 + random.next() * renewJitter);
  }

  async #createOrGet(): Promise<Node & KubeObject> {
    const { client, clock, spec, runtimeVersion } = this.#options;
    const nodes = client.resource<Node & KubeObject>('v1', 'nodes');
    const wanted = (await this.#options.describe?.()) ?? nodeObject(spec, runtimeVersion, clock.now());
    try {
      return await nodes.create(wanted);
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) throw error;
    }
    // For a node that was registered before, only the kubelet's own labels are corrected.
    const labels = wanted.metadata.labels ?? { ...nodeLabels(spec.name), ...spec.labels };
    await nodes.patch(spec.name, { metadata: { labels } }, { type: 'strategic' });
    return nodes.patch(spec.name, { status: wanted.status }, { type: 'strategic', subresource: 'status' });
  }

  /** Checks again at once, after a change that others wait for. */
  async refresh(): Promise<void> {
    const { describe } = this.#options;
    if (describe !== undefined && this.#node !== undefined) await this.#reportReal(describe);
  }

  async #reportReal(describe: () => Promise<Node & KubeObject>): Promise<void> {
    const { client, clock, spec } = this.#options;
    const { status: own } = await describe();
    const nodes = client.resource<Node & KubeObject>('v1', 'nodes');
    try {
      // Other writers exist: the node lifecycle controller reports a lost node there.
      this.#node = await nodes.get(spec.name, { resourceVersion: '0' });
      const { status: known } = this.#node;
      const wanted = { ...own, ...withForeignResources(own, known) } as Status;
      const status = changedStatus(known, wanted);
      const isDue = clock.now() - this.#reportedMs >= this.#pace.statusReportEveryMs;
      if (Object.keys(status).length === 0 && !isDue) return;
      const conditions = withTransitions(wanted.conditions ?? [], known.conditions ?? []);
      const patch = { status: { ...status, conditions } };
      this.#node = await nodes.patch(spec.name, patch, { type: 'strategic', subresource: 'status' });
      this.#reportedMs = clock.now();
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
      await this.register();
    }
  }

  /**
   * For a simulated node: resources that others add to its capacity become allocatable, and those that they remove do
   * not remain so.
   */
  async nodeChanged({ status: known }: Node): Promise<void> {
    const { client, signal, spec, onError } = this.#options;
    const own = Object.keys({ ...defaultCapacity, ...spec.capacity });
    const { allocatable } = withForeignResources(
      { capacity: only(own, known?.capacity), allocatable: only(own, known?.allocatable) },
      known ?? {},
    );
    if (signal.aborted || deepEqual(allocatable, known?.allocatable ?? {})) return;
    await client
      .resource<Node & KubeObject>('v1', 'nodes')
      .patch(spec.name, { status: { allocatable } }, { type: 'strategic', subresource: 'status' })
      .catch(onError);
  }

  async #reportStatus(): Promise<void> {
    const { client, clock, spec } = this.#options;
    const conditions = nodeConditions(clock.now(), this.#readySinceMs);
    const nodes = client.resource<Node & KubeObject>('v1', 'nodes');
    try {
      await nodes.patch(spec.name, { status: { conditions } }, { type: 'strategic', subresource: 'status' });
    } catch (error) {
      // The node was deleted while the kubelet is running, so it is registered again.
      if (!isStatusError(error, 'NotFound')) throw error;
      await this.register();
    }
  }

  async #renewLease(): Promise<void> {
    const { client, clock, spec } = this.#options;
    const leases = client.resource<Lease>('coordination.k8s.io/v1', 'leases').namespace(leaseNamespace);
    const { leaseDurationSeconds } = this.#pace;
    const renewTime = formatMicroTime(clock.now());
    const renewed = { holderIdentity: spec.name, leaseDurationSeconds, renewTime };
    try {
      this.#lease =
        this.#lease === undefined
          ? await leases.create(this.#newLease(renewed))
          : await leases.update({ ...this.#lease, spec: { ...this.#lease.spec, ...renewed } });
    } catch (error) {
      if (isStatusError(error, 'AlreadyExists') || isStatusError(error, 'Conflict')) {
        this.#lease = await leases.get(spec.name);
        this.#lease = await leases.update({ ...this.#lease, spec: { ...this.#lease.spec, ...renewed } });
      } else if (isStatusError(error, 'NotFound') && this.#lease !== undefined) {
        this.#lease = undefined;
        await this.#renewLease();
      } else throw error;
    }
  }

  #newLease(spec: Lease['spec']): Lease {
    const { name } = this.#options.spec;
    const uid = this.#node?.metadata.uid ?? '';
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name,
        namespace: leaseNamespace,
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
      },
      spec,
    };
  }

  async #every(delayMs: () => number, action: () => Promise<void>, atOnce: boolean): Promise<void> {
    const { clock, signal } = this.#options;
    try {
      if (!atOnce) await clock.sleep(delayMs(), signal);
      while (!signal.aborted) {
        await this.#persist(action);
        await clock.sleep(delayMs(), signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Repeats until it succeeds or the signal aborts. */
  async #persist(action: () => Promise<void>): Promise<void> {
    const { clock, signal, describe, onError } = this.#options;
    for (let waitMs = retryMsInitial; ; waitMs = Math.min(waitMs * 2, retryMsMax)) {
      signal.throwIfAborted();
      try {
        return await action();
      } catch (error) {
        if (signal.aborted || (describe === undefined && isStatusError(error, 'Invalid'))) throw error;
        onError(error);
      }
      await clock.sleep(waitMs, signal);
    }
  }
}

const only = (names: readonly string[], amounts: Readonly<Record<string, string>> | null | undefined) =>
  Object.fromEntries(Object.entries(amounts ?? {}).filter(([name]) => names.includes(name)));

type Status = NonNullable<Node['status']>;
type Conditions = NonNullable<Status['conditions']>;

/** Returns the differences from the API's status, ignoring the times of conditions. */
function changedStatus(before: Status | undefined, wanted: Status): Partial<Status> {
  const known: Readonly<Record<string, unknown>> = { ...before };
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) =>
      name === 'conditions'
        ? (value as Conditions).some((condition) => !sameCondition(condition, before?.conditions ?? []))
        : !deepEqual(known[name] ?? emptyLike(value), value),
    ),
  ) as Partial<Status>;
}

/** The API omits empty lists. */
const emptyLike = (value: unknown): unknown => (Array.isArray(value) ? [] : undefined);

const sameCondition = ({ type, status, reason, message }: Conditions[number], all: Conditions): boolean =>
  all.some(
    (each) =>
      each.type === type && each.status === status && each.reason === reason && each.message === message,
  );

const withTransitions = (wanted: Conditions, before: Conditions): Conditions =>
  wanted.map((condition) => {
    const known = before.find(({ type, status }) => type === condition.type && status === condition.status);
    return known?.lastTransitionTime === undefined
      ? condition
      : { ...condition, lastTransitionTime: known.lastTransitionTime };
  });
