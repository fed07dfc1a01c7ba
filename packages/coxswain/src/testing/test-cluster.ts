/** What a test has in its hands. */

import type { Clock, KubeObject } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import type { KubeClient, Transport } from '@coxswain/client';
import type { NodeSpec } from '@coxswain/kubelet';
import type { Cluster } from '../cluster.ts';
import type { ClusterSnapshot } from '../cluster-storage.ts';
import { administrator } from '../component-users.ts';
import type { EventHistory } from './event-history.ts';
import { eventually, withContext } from './eventually.ts';
import type { EventuallyOptions, Pace } from './eventually.ts';
import type { Faults } from './faults/fault-rules.ts';
import { waitUntilIdle } from './idle/wait-until-idle.ts';
import type { IdleOptions } from './idle/wait-until-idle.ts';
import type { KubeconfigPort } from './kubeconfig-port.ts';
import { applier } from './manifests.ts';
import type { Manifests } from './manifests.ts';
import type { RecordedRequest, RequestLog, RequestPattern } from './requests/request-log.ts';
import { seedVariable } from './seed.ts';
import { SimulatedNodes } from './test-nodes.ts';
import type { TestNodes } from './test-nodes.ts';
import { userOf } from './users.ts';
import type { AsUser } from './users.ts';
import { VirtualClock, durationMs } from './virtual-clock.ts';
import type { Duration } from './virtual-clock.ts';

/** A cluster, seen by one user. */
export interface ClusterView {
  readonly user: UserInfo;
  readonly client: KubeClient;
  readonly transport: Transport;
  /** Server-side apply of one or more objects, as YAML, JSON or values. Resolves with what is stored. */
  apply(manifests: Manifests): Promise<readonly KubeObject[]>;
  /** Deletes them; those that are not there are left alone. */
  remove(manifests: Manifests): Promise<void>;
  /** A kubeconfig for this user, as text. The first one opens a port on 127.0.0.1. */
  kubeconfig(): Promise<string>;
}

export interface TestClock extends Clock {
  /** Lets time pass: every timer that falls due fires, in order. @throws Error on the machine's own clock */
  advance(by: Duration): Promise<void>;
}

export interface TestSnapshot {
  readonly cluster: ClusterSnapshot;
  readonly nodes: readonly NodeSpec[];
}

export interface TestCluster extends ClusterView {
  /** Where all that is random comes from; `COXSWAIN_SEED` repeats it. */
  readonly seed: number;
  readonly clock: TestClock;
  readonly faults: Faults;
  readonly requests: {
    (pattern?: RequestPattern): readonly RecordedRequest[];
    /** Forgets those until now. */
    clear(): void;
  };
  readonly history: Pick<EventHistory, 'lines' | 'digest'>;
  /** Controllers by name, `scheduler`, `kubelets`. */
  readonly components: Cluster['components'];
  readonly nodes: TestNodes;
  /** The same cluster as somebody else sees it. */
  as(user: AsUser): ClusterView;
  /** Resolves when nothing is left to do: no request, no key in a queue, no event of a watch, no timer due. */
  idle(options?: IdleOptions): Promise<void>;
  /** Tries until it holds, and lets the cluster's time pass in between. */
  eventually<T>(attempt: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
  snapshot(): TestSnapshot;
  /** As it was then, or when it was created: objects, components, nodes; no faults, no recorded requests. Time goes on. */
  reset(snapshot?: TestSnapshot): Promise<void>;
  /** Another cluster that begins with what this one holds, or held then. */
  fork(snapshot?: TestSnapshot): Promise<TestCluster>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestClusterParts {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly seed: number;
  readonly requests: RequestLog;
  readonly faults: Faults;
  readonly history: EventHistory;
  readonly port: KubeconfigPort;
  readonly namespace: string;
  readonly revision: () => number;
  readonly clientOf: (user: UserInfo) => KubeClient;
  readonly fork: (snapshot: TestSnapshot) => Promise<TestCluster>;
  readonly advance: (clock: VirtualClock, ms: number) => Promise<void>;
}

export function testCluster(parts: TestClusterParts): TestCluster {
  const { cluster, clock, seed, requests, faults, history, port } = parts;
  const replay = `${seedVariable}=${seed} replays it`;
  const idle = (options?: IdleOptions) =>
    waitUntilIdle(parts, options).catch((failure: unknown) => {
      throw withContext(failure, replay);
    });
  const pass = (ms: number) => (clock instanceof VirtualClock ? parts.advance(clock, ms) : clock.sleep(ms));
  const pace: Pace = { idle: () => idle(), pass, replay };
  const view = (user: UserInfo): ClusterView => viewOf(parts, user, () => idle());
  const wereRunning = cluster.components.names.filter((name) => cluster.components.isRunning(name));
  const own = view(administrator);
  const nodes = new SimulatedNodes(() => cluster.kubelets, own.client);
  const snapshot = (): TestSnapshot => ({ cluster: cluster.snapshot(), nodes: nodes.specs });
  const clean = snapshot();

  return {
    ...own,
    seed,
    faults,
    history,
    nodes,
    idle,
    clock: testClock(clock, pass),
    requests: Object.assign((pattern?: RequestPattern) => requests.list(pattern), {
      clear: () => requests.clear(),
    }),
    components: cluster.components,
    as: (user) => view(userOf(user)),
    eventually: (attempt, options) => eventually(pace, attempt, options),
    snapshot,
    async reset(to = clean) {
      faults.clear();
      await Promise.all(wereRunning.map((name) => cluster.components.start(name)));
      await nodes.keepOnly(to.nodes);
      await cluster.reset(to.cluster);
      await nodes.bringBack(to.nodes);
      await idle();
      requests.clear();
    },
    fork: (from = snapshot()) => parts.fork(from),
    stop,
    [Symbol.asyncDispose]: stop,
  };

  async function stop(): Promise<void> {
    history.stop();
    await port.close();
    await cluster.stop();
  }
}

function viewOf(parts: TestClusterParts, user: UserInfo, settle: () => Promise<void>): ClusterView {
  const client = parts.clientOf(user);
  const { apply, remove } = applier({ client, namespace: parts.namespace, settle });
  return {
    user,
    client,
    transport: client.rest.transport,
    apply,
    remove,
    kubeconfig: () => parts.port.kubeconfig(user),
  };
}

const testClock = (clock: Clock, pass: (ms: number) => Promise<void>): TestClock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  after: (delayMs, callback, options) => clock.after(delayMs, callback, options),
  sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
  async advance(by) {
    if (!(clock instanceof VirtualClock))
      throw new Error("only a virtual clock can be advanced: createCluster({ clock: 'virtual' })");
    const ms = durationMs(by);
    if (!(ms >= 0)) throw new Error(`time only goes on: advance('5m'), not ${JSON.stringify(by)}`);
    await pass(ms);
  },
});
