/** The cluster as a test uses it. */

import type { Clock, KubeObject, Random } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import { createClient, type KubeClient, type Transport } from '@coxswain/client';
import type { NodeSpec } from '@coxswain/kubelet';
import type { DefinedImages } from '@coxswain/simulated-nodes/program/defined-images.ts';
import { fetchWithin } from '@coxswain/simulated-nodes/program/fetch-within.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterSnapshot } from '../storage/cluster-storage.ts';
import { administrator } from '../components/component-users.ts';
import { writeClusterFile } from './cluster-file.ts';
import type { ClusterPages } from './cluster-pages.ts';
import type { TestingPaths } from './http/testing-paths.ts';
import type { EventHistory } from './event-history.ts';
import { eventually, withContext, type EventuallyOptions, type Pace } from './eventually.ts';
import type { Faults } from './faults/fault-rules.ts';
import { whileAnswering, whileTimePasses, type ActiveAdvances } from './idle/passing-time.ts';
import { waitUntilIdle, type IdleOptions } from './idle/wait-until-idle.ts';
import type { KubeconfigPort } from './kubeconfig-port.ts';
import { checkWords, shown, wordsOf } from './known-words.ts';
import { applier, type Manifests } from './manifests.ts';
import { auditLog } from './requests/audit-log.ts';
import { checkRequestPattern } from './requests/check-pattern.ts';
import type { RecordedRequest, RequestLog, RequestPattern } from './requests/request-log.ts';
import { outsideNetwork } from './outside/outside-network.ts';
import { podLogs, type LogOptions } from './pod-logs.ts';
import { replayOf } from './seed.ts';
import { SimulatedNodes, type TestNodes } from './test-nodes.ts';
import { userOf, type AsUser } from './users.ts';
import type { Images, Webhooks } from '../../types/testing.d.ts';
import { VirtualClock, durationMs, type Duration } from './virtual-clock.ts';

/** A cluster as seen by one user. */
export interface ClusterView {
  readonly user: UserInfo;
  readonly client: KubeClient;
  readonly transport: Transport;
  /** Server-side apply of one or more objects, as YAML, JSON or values. Resolves with what is stored. */
  apply(manifests: Manifests): Promise<readonly KubeObject[]>;
  /** Deletes the objects; missing ones are ignored. */
  remove(manifests: Manifests): Promise<void>;
  /** Returns the log of a container. @throws StatusError for a missing pod or container */
  logs(pod: string, options?: LogOptions): Promise<string>;
  /** A kubeconfig for this user, as text. The first call opens a port on 127.0.0.1. */
  kubeconfig(): Promise<string>;
  /** A link that opens the page of the cluster in one browser, once, with the rights of this user. */
  ui(): Promise<string>;
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
  /** The seed for everything random. Set `COXSWAIN_SEED` to it to reproduce a run. */
  readonly seed: number;
  /** The default namespace. */
  readonly namespace: string;
  readonly clock: TestClock;
  readonly faults: Faults;
  readonly requests: {
    (pattern?: RequestPattern): readonly RecordedRequest[];
    /** Forgets all requests so far. */
    clear(): void;
    /** Returns the requests as lines of an audit log. */
    auditLog(pattern?: RequestPattern): string;
  };
  readonly history: Pick<EventHistory, 'lines' | 'digest'>;
  /** The controllers by name, plus `scheduler` and `kubelets`. */
  readonly components: Pick<Cluster['components'], 'names' | 'isRunning' | 'start' | 'stop' | 'restart'>;
  readonly nodes: TestNodes;
  /** Images whose programs are functions. */
  readonly images: Images;
  /** Webhooks that are functions. */
  readonly webhooks: Webhooks;
  /** Sends a request from outside the cluster. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Returns the same cluster as seen by another user. */
  as(user: AsUser): ClusterView;
  /** Resolves when nothing is left to do: no request in flight, no key in a queue, no pending watch event, no timer due. */
  idle(options?: IdleOptions): Promise<void>;
  /** Retries until the attempt succeeds, letting the cluster's time pass in between. */
  eventually<T>(attempt: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
  snapshot(): TestSnapshot;
  /**
   * Restores a snapshot, or the initial state: objects, components and nodes, without faults or recorded requests. The
   * clock is not reset.
   */
  reset(snapshot?: TestSnapshot): Promise<void>;
  /** Returns the contents as a file, for `createCluster({ from })`. */
  export(snapshot?: TestSnapshot): Promise<Uint8Array>;
  /** Creates another cluster with the contents of this one, or of a snapshot. */
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
  readonly pages: ClusterPages;
  readonly paths: Pick<TestingPaths, 'close'>;
  readonly namespace: string;
  readonly images: DefinedImages;
  readonly webhooks: Webhooks;
  readonly random: Random;
  readonly revision: () => number;
  readonly delayedUntilMs: () => number | undefined;
  readonly movers: ActiveAdvances;
  /** Lets time pass for an answer that a fault delays. */
  readonly inItsTime: <T>(answer: Promise<T>) => Promise<T>;
  /** Returns the transport of this user. */
  readonly transportOf: (user: UserInfo) => Transport;
  readonly fork: (snapshot: TestSnapshot) => Promise<TestCluster>;
  readonly advance: (clock: VirtualClock, ms: number) => Promise<void>;
}

export function testCluster(parts: TestClusterParts): TestCluster {
  const { cluster, clock, seed, requests, faults, history, movers, port } = parts;
  const recorded = (pattern: RequestPattern = {}): readonly RecordedRequest[] => {
    checkRequestPattern(pattern);
    return requests.list(pattern);
  };
  const replay = replayOf(seed);
  const idle = async (options: IdleOptions = {}) => {
    checkWords('idle', options, idleWords);
    return movers.during(() =>
      waitUntilIdle(parts, options).catch((failure: unknown) => {
        throw withContext(failure, replay);
      }),
    );
  };
  const pass = (ms: number) =>
    movers.during(() => (clock instanceof VirtualClock ? parts.advance(clock, ms) : clock.sleep(ms)));
  const pace: Pace = { idle: () => idle(), pass, replay };
  /** For operations that need the cluster's time to pass. */
  const inTime = <T>(work: Promise<T>, what: string): Promise<T> => whileTimePasses(work, parts, { what });
  let stopped: Promise<void> | undefined;
  const ended = new AbortController();
  const mustRun = (what: string): void => {
    if (stopped !== undefined) throw new Error(`${what}: the cluster has been stopped`);
  };
  const view = (user: UserInfo): ClusterView => viewOf(parts, user, { mustRun, settle: () => idle() });
  const wereRunning = cluster.components.running;
  const own = view(administrator);
  const components = steeredComponents(cluster.components, inTime);
  const nodes = new SimulatedNodes(() => cluster.kubelets, own.client, inTime);
  const snapshot = (): TestSnapshot => ({ cluster: cluster.snapshot(), nodes: nodes.specs });
  const clean = snapshot();
  return {
    ...own,
    seed,
    namespace: parts.namespace,
    faults,
    history,
    nodes,
    idle,
    components,
    clock: testClock(clock, pass),
    requests: Object.assign(recorded, {
      clear: () => requests.clear(),
      auditLog: (pattern?: RequestPattern) => auditLog(recorded(pattern)),
    }),
    images: parts.images,
    webhooks: parts.webhooks,
    async fetch(input, init) {
      mustRun('fetch');
      const network = outsideNetwork({ client: own.client, network: cluster.network, random: parts.random });
      const answer = fetchWithin({ network, clock, signal: ended.signal }, new Request(input, init));
      return whileAnswering(answer, parts);
    },
    as: (user) => view(userOf(user)),
    eventually: (attempt, options) => eventually(pace, attempt, options),
    snapshot,
    async reset(to = clean) {
      mustRun('reset');
      checkSnapshot(to);
      faults.clear();
      await inTime(cluster.reset(to.cluster, { nodes: to.nodes, running: wereRunning }), 'reset');
      await idle();
      requests.clear();
    },
    async export(from = snapshot()) {
      mustRun('export');
      checkSnapshot(from);
      return writeClusterFile(from.cluster);
    },
    async fork(from = snapshot()) {
      mustRun('fork');
      checkSnapshot(from);
      return parts.fork(from);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };

  function stop(): Promise<void> {
    return (stopped ??= end());
  }

  async function end(): Promise<void> {
    ended.abort(new Error('the cluster has been stopped'));
    history.stop();
    await parts.paths.close();
    await parts.pages.close();
    await port.close();
    await inTime(cluster.stop(), 'stop');
  }
}

const idleWords = wordsOf<IdleOptions>({ quietMs: true, timeoutMs: true });

interface ViewParts {
  readonly settle: () => Promise<void>;
  /** @throws Error if the cluster has been stopped */
  readonly mustRun: (what: string) => void;
}

function viewOf(parts: TestClusterParts, user: UserInfo, { settle, mustRun }: ViewParts): ClusterView {
  const inner = parts.transportOf(user);
  const transport: Transport = {
    structured: inner.structured,
    address: inner.address,
    close: () => inner.close(),
    ...(inner.upgrade && { upgrade: (request) => inner.upgrade!(request) }),
    send: (request) => parts.inItsTime(inner.send(request)),
  };
  const client = createClient({ transport, clock: parts.clock });
  const { apply, remove } = applier({ client, namespace: parts.namespace, settle });
  const kubeconfig = async () => {
    mustRun('kubeconfig');
    return parts.port.kubeconfig(user);
  };
  const ui = async () => parts.pages.link(`${user.name} ${user.groups.join()}`, await kubeconfig());
  const logs = podLogs(client, parts.namespace);
  return { user, client, transport, apply, remove, logs, kubeconfig, ui };
}

const steeredComponents = (
  components: Cluster['components'],
  inTime: <T>(work: Promise<T>, what: string) => Promise<T>,
): TestCluster['components'] => ({
  get names() {
    return components.names;
  },
  isRunning: (name) => components.isRunning(name),
  start: (name) => inTime(components.start(name), `the start of ${name}`),
  stop: (name) => inTime(components.stop(name), `the stop of ${name}`),
  restart: (name) => inTime(components.restart(name), `the restart of ${name}`),
});

/** @throws TypeError for a value that `snapshot` has not created */
function checkSnapshot(snapshot: Partial<TestSnapshot>): void {
  if (typeof snapshot !== 'object' || snapshot?.cluster === undefined || snapshot.nodes === undefined)
    throw new TypeError('a snapshot must come from cluster.snapshot()');
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
    if (!(ms >= 0 && Number.isFinite(ms)))
      throw new TypeError(
        `the clock cannot go back: advance it by a duration such as '5m', not ${shown(by)}`,
      );
    await pass(ms);
  },
});
