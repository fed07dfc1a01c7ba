/// <reference lib="esnext.disposable" />
// Complete and self-contained. What tests pass in and get back is declared here and imported by the sources;
// `src/testing/published-types.test.ts` compares the rest with the sources.

/**
 * A Kubernetes cluster inside a test process, with a clock and a seed.
 * @module coxswain/testing
 */

import type { KubeClient, KubeObject, Transport } from './testing-client.d.ts';
import type { Images } from './testing-images.d.ts';
import type { SchedulerPlugin } from './testing-scheduler.d.ts';

export type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  GetOptions,
  KubeClient,
  KubeObject,
  ListOptions,
  Manifest,
  ObjectList,
  Part,
  ResourceClient,
  Transport,
  TransportRequest,
  TransportResponse,
  WatchOptions,
  WriteOptions,
} from './testing-client.d.ts';

export type {
  CommandFunction,
  ImageDefinition,
  Images,
  ProbeFunction,
  ProgramClock,
  ProgramCommand,
  ProgramContainer,
  ProgramFiles,
  ProgramPod,
  RequestHandler,
} from './testing-images.d.ts';

export type { CandidateNode, SchedulerPlugin } from './testing-scheduler.d.ts';

/** `'2h'`, `'1m30s'`, `'90d'`, or milliseconds. */
export type Duration = string | number;

/** YAML or JSON with one or more objects, an object, or a list of objects. */
export type Manifests = string | object | readonly object[];

/** A name, `system:serviceaccount:<namespace>:<name>`, or a user with groups. */
export type AsUser = string | { readonly name: string; readonly groups?: readonly string[] };

/** A simulated node. */
export interface NodeSpec {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly capacity?: Readonly<Record<string, string>>;
  /** The range of pod addresses, such as `10.244.0.0/24`. */
  readonly podCidr: string;
  readonly address: string;
}

/** Missing fields are those of the next `node-<number>`. */
export type NewNode = Partial<NodeSpec>;

/**
 * The simulated nodes, which can be added and removed during a test.
 * @example
 * const name = await cluster.nodes.add({ labels: { size: 'big' }, capacity: { cpu: '64' } });
 * await cluster.nodes.fail(name);
 * await cluster.clock.advance('10m'); // its pods are evicted
 * await cluster.nodes.recover(name);
 * await cluster.nodes.remove(name);
 */
export interface TestNodes {
  /** The names of the current nodes, including failed ones. */
  readonly names: readonly string[];
  /** Adds a node and resolves with its name once its Node object exists. @throws Error if the name is taken or the API rejects the node */
  add(node?: NewNode): Promise<string>;
  /** Removes a node for good, with its containers and its Node object. Its pods are left to the controllers. */
  remove(name: string): Promise<void>;
  /** Simulates an outage of the node: no lease, no kubelet. Its containers keep running. */
  fail(name: string): Promise<void>;
  /** Ends the outage of a node. */
  recover(name: string): Promise<void>;
}

/**
 * Answers a review with a review: an AdmissionReview or a ConversionReview. `validating`, `mutating` and `conversion`
 * of `@coxswain/controller` create such functions. If it throws, the API server gets status 500 with that message.
 */
export type WebhookHandler = (review: unknown) => unknown;

/**
 * Admission and conversion webhooks that are functions. They survive `reset`, and forks inherit those of their origin.
 * @example
 * const url = 'https://guard.shop.svc/validate';
 * cluster.webhooks.define(url, (review) => {
 *   const { apiVersion, kind, request } = review as { apiVersion: string; kind: string; request: { uid: string } };
 *   return { apiVersion, kind, response: { uid: request.uid, allowed: false } };
 * });
 * cluster.webhooks.remove(url);
 */
export interface Webhooks {
  readonly urls: readonly string[];
  /**
   * Calls the function in place of the server at that URL, without a network and without certificates.
   * @param url as in `clientConfig.url`; a `clientConfig.service` has `https://<name>.<namespace>.svc[:port]/<path>`
   * @throws TypeError for an invalid URL or handler
   */
  define(url: string, handler: WebhookHandler): void;
  /** Removes the function; the API server uses the network again. */
  remove(url: string): void;
}

/** The configuration of a cluster. Everything has a default. */
export interface CreateClusterOptions {
  /** As `--controllers` of kube-controller-manager: `['*', '-job-controller']`; `false` for none. */
  readonly controllers?: readonly string[] | false;
  /** The number of simulated nodes, or a list of them. Missing fields of a node are those of `node-<number>`. Defaults to 1. */
  readonly nodes?: number | readonly NewNode[];
  /** kwok stages and other kwok objects, as YAML, for nodes annotated with `kwok.x-k8s.io/node: fake`, their pods, and any other kind. */
  readonly stages?: string;
  /** Whether the scheduler runs. Defaults to true. */
  readonly scheduler?: boolean;
  /** A KubeSchedulerConfiguration as YAML: profiles, plugins, extenders. */
  readonly schedulerConfiguration?: string;
  /** Plugins that are functions, in every profile unless the configuration names them. */
  readonly schedulerPlugins?: readonly SchedulerPlugin[];
  /** Add-ons: a default StorageClass, addresses for Services, an IngressClass. Defaults to none. */
  readonly addons?: readonly ('storage' | 'load-balancers' | 'ingress-class')[];
  /** Whether network policies are enforced between simulated pods. Defaults to true. */
  readonly networkPolicies?: boolean;
  /** Whether `metrics.k8s.io` is served, as by metrics-server. Defaults to true. */
  readonly metrics?: boolean;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** The version of Kubernetes to behave as, back to `1.33`. Defaults to `1.36`. */
  readonly version?: string;
  /** API versions to enable or disable: `{ 'api/legacy': true, 'batch/v1': false }`. */
  readonly versions?: Readonly<Record<string, boolean>>;
  /** `virtual` (the default) advances only on request; `system` is real time. */
  readonly clock?: 'virtual' | 'system';
  /** The initial time of the virtual clock. Defaults to 2026-01-01. */
  readonly startTime?: Date | string;
  /**
   * The bytes of `cluster.export()` or of `coxswain storage snapshot save`, from which the cluster continues. It keeps
   * its nodes unless `nodes` overrides them, and starts at the latest time in the snapshot unless `startTime` overrides
   * it.
   */
  readonly from?: Uint8Array;
  /** The seed for everything random. Defaults to `COXSWAIN_SEED`, or to a random one. */
  readonly seed?: number;
  /** The port that is opened when a kubeconfig is first requested. Defaults to any free port. */
  readonly port?: number;
  /** The address of that port. Defaults to 127.0.0.1. */
  readonly bindAddress?: string;
  /** The default namespace of `apply` and the matchers. Defaults to `default`. */
  readonly namespace?: string;
  /** Receives the log messages of the components. */
  readonly log?: (line: string) => void;
}

/** Selects requests. A missing field or `*` matches anything; a list matches any of its values. */
export interface RequestPattern {
  readonly user?: string | readonly string[];
  readonly verb?: string | readonly string[];
  /** `pods`, `pods/status`, `deployments.apps`. `pods` does not include its subresources; `pods/*` does. */
  readonly resource?: string | readonly string[];
  readonly namespace?: string | readonly string[];
  readonly name?: string | readonly string[];
}

/** A request to the API server, with its response. */
export interface RecordedRequest {
  /** Starts at 1. */
  readonly number: number;
  /** The time of arrival on the cluster's clock, in milliseconds. */
  readonly atMs: number;
  readonly user: string;
  /** `get`, `list`, `watch`, `create`, …; for paths other than resources, the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Without the leading question mark. */
  readonly query: string;
  /** The body, if it is an object or JSON. */
  readonly body: unknown;
  /** The HTTP status; 0 while the request is in flight, or if it failed without a response. */
  readonly status: number;
  /** The fault that was applied. */
  readonly fault?: string;
}

/** What happens to a request that a rule selects. */
export type FaultAction =
  /** The request fails with `code` and has no effect. */
  | 'error'
  /** The request is delayed. */
  | 'latency'
  /** A write fails with 409, as after a concurrent write. */
  | 'conflict'
  /** The watch ends, at once or after some of its events. */
  | 'dropWatch'
  /** A read returns an earlier state. */
  | 'staleRead'
  /** The request takes effect, but the response is 504. */
  | 'lostAnswer';

/** A rule: which requests are affected, how, and how often. */
export interface Fault extends RequestPattern {
  readonly action: FaultAction;
  /** From 0 to 1. Defaults to 1. */
  readonly probability?: number;
  /** How many times the fault is applied. Unlimited by default. */
  readonly times?: number;
  /** For `error`: 400 to 599. Defaults to 500. */
  readonly code?: number;
  /** For `error` and `conflict`. */
  readonly message?: string;
  /** For `latency`, on the cluster's clock, which advances while a caller waits for the response. Defaults to one second. */
  readonly delay?: Duration;
  /** For `staleRead`: how many writes the response lags behind. Defaults to 10. */
  readonly lag?: number;
  /** For `dropWatch`: how many events are delivered before the watch ends. Defaults to 0. */
  readonly afterEvents?: number;
}

/**
 * An active fault rule.
 * @example
 * const fault = cluster.faults.add({ verb: 'create', resource: 'pods', action: 'error', code: 500 });
 * await cluster.idle();
 * console.log(`${fault.count} pods could not be created`);
 * fault.remove();
 */
export interface ActiveFault {
  readonly fault: Fault;
  /** How many times the fault has been applied. */
  readonly count: number;
  /** Removes the rule. */
  remove(): void;
}

/**
 * Faults of the cluster, as rules that are added and removed while it runs.
 * @example
 * cluster.faults.add({ verb: 'create', resource: 'pods/binding', probability: 0.3, action: 'conflict' });
 * console.log(cluster.faults.list().map(({ fault, count }) => `${fault.action}: ${count}`));
 * cluster.faults.clear();
 */
export interface Faults {
  /** @throws TypeError for an invalid rule */
  add(fault: Fault): ActiveFault;
  /** Removes all rules. */
  clear(): void;
  /** The active rules, in the order in which they were added. */
  list(): readonly ActiveFault[];
}

/** How long to try, and how often. */
export interface EventuallyOptions {
  /** The timeout on the cluster's clock. Defaults to a minute. */
  readonly within?: Duration;
  /** The interval between attempts. Defaults to a second. */
  readonly every?: Duration;
}

/** When a cluster counts as idle. */
export interface IdleOptions {
  /**
   * How long the cluster may be quiet on its clock before it counts as idle: shorter delays (a container that starts, a
   * retry after a conflict) are waited for, longer ones (a back-off, a lease) are not. In milliseconds; defaults to a
   * second.
   */
  readonly quietMs?: number;
  /** The timeout in milliseconds of real time. Defaults to 10 seconds. */
  readonly timeoutMs?: number;
}

/** Selects a log, and how much of it to return. */
export interface LogOptions {
  /** Defaults to the only container. */
  readonly container?: string;
  /** The logs of the previous instance of the container. */
  readonly previous?: boolean;
  readonly tailLines?: number;
  readonly timestamps?: boolean;
}

/**
 * A cluster as seen by one user.
 * @example
 * const [web] = await cluster.apply('{ apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [{ name: web, image: nginx }] } }');
 * await cluster.idle();
 * console.log(await cluster.logs('pod/web'));
 * console.log(await cluster.ui()); // a link for a browser
 * writeFileSync('kubeconfig', await cluster.as('alice').kubeconfig());
 * await cluster.remove([web!]);
 */
export interface ClusterView {
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  readonly client: KubeClient;
  /** For `createClient({ transport, clock })` of `@coxswain/client`, and controllers built on it. */
  readonly transport: Transport;
  /** Server-side apply. Resolves with the stored objects. */
  apply(manifests: Manifests): Promise<readonly KubeObject[]>;
  /** Deletes the objects; missing ones are ignored. */
  remove(manifests: Manifests): Promise<void>;
  /** Returns the log of a container: `logs('pod/web-0')`, `logs('team/web-0', { container: 'log' })`. */
  logs(pod: string, options?: LogOptions): Promise<string>;
  /** A kubeconfig for this user, as text. The first call opens a port on 127.0.0.1. */
  kubeconfig(): Promise<string>;
  /**
   * A link that opens the page of the cluster (`coxswain ui`) in one browser, once, with the rights of this user. The page
   * is served on 127.0.0.1 until the cluster stops.
   */
  ui(): Promise<string>;
}

/**
 * The cluster's clock. Controllers that use it wait in the cluster's time.
 * @example
 * const timer = cluster.clock.after(60_000, () => console.log('a minute later'));
 * const beforeMs = cluster.clock.monotonic();
 * await cluster.clock.advance('90s');
 * await cluster.clock.sleep(0);
 * console.log(new Date(cluster.clock.now()).toISOString(), cluster.clock.monotonic() - beforeMs);
 * timer.cancel();
 */
export interface TestClock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Monotonic milliseconds, for measuring durations. */
  monotonic(): number;
  /** Calls the function once, after this many milliseconds. */
  after(delayMs: number, callback: () => void): { cancel(): void };
  /** Resolves after this many milliseconds; rejects with the signal's reason when it aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Advances the clock and fires every timer that falls due, in order. */
  advance(by: Duration): Promise<void>;
}

/** The contents of a cluster at a point in time. */
export interface TestSnapshot {
  readonly cluster: { readonly revision: number };
}

/**
 * A whole cluster for a test.
 * @example
 * const clean = cluster.snapshot();
 * cluster.images.define('web:1', { listen: { 80: () => new Response('hello') } });
 * await cluster.apply(manifests);
 * await cluster.idle();
 * await cluster.eventually(async () => (await cluster.fetch('http://web.default')).ok, { within: '2m' });
 * await cluster.as('alice').client.resource('v1', 'pods').list();
 * const other = await cluster.fork(); // the same contents, apart from here on
 * await other.stop();
 * await cluster.reset(clean);
 * const again = await createCluster({ from: await cluster.export() });
 * await again.stop();
 * await cluster.stop();
 */
export interface TestCluster extends ClusterView {
  /** The seed for everything random. Set `COXSWAIN_SEED` to it to reproduce a run. */
  readonly seed: number;
  /** The default namespace of `apply` and the matchers. */
  readonly namespace: string;
  readonly clock: TestClock;
  readonly faults: Faults;
  /**
   * Returns the recorded requests that match, including those of the components.
   * @example
   * const creates = cluster.requests({ verb: 'create', resource: 'pods' });
   * console.log(creates.map(({ user, name, status }) => `${user} ${name} ${status}`));
   */
  readonly requests: {
    (pattern?: RequestPattern): readonly RecordedRequest[];
    clear(): void;
    /**
     * Returns the requests as lines of an audit log (audit.k8s.io/v1, level Metadata), for `coxswain rbac minimal
     * --from-audit`.
     */
    auditLog(pattern?: RequestPattern): string;
  };
  /** Everything that was stored since the start or the last reset, in order. */
  readonly history: { lines(): Promise<readonly string[]>; digest(): Promise<string> };
  /** The controllers by name, plus `scheduler` and `kubelets`. */
  readonly components: {
    readonly names: readonly string[];
    isRunning(name: string): boolean;
    start(name: string): Promise<void>;
    stop(name: string): Promise<void>;
    restart(name: string): Promise<void>;
  };
  readonly nodes: TestNodes;
  /** Images whose programs are functions. */
  readonly images: Images;
  /** Admission and conversion webhooks that are functions. */
  readonly webhooks: Webhooks;
  /**
   * Sends a request from outside the cluster: to a Service (`http://web.default`), a host of an Ingress or HTTPRoute, a
   * node port (`http://node-0:30080`) or any address. With the virtual clock, time passes until the response arrives.
   * Fails like Node's `fetch`.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Returns the same cluster as seen by another user. */
  as(user: AsUser): ClusterView;
  /** Resolves when nothing is left to do: no request in flight, no key in a queue, no pending watch event, no timer due. */
  idle(options?: IdleOptions): Promise<void>;
  /** Retries until `attempt` neither throws nor returns false, advancing the clock in between. */
  eventually<T>(attempt: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
  /** Returns the current contents. It costs nothing, since they are shared. */
  snapshot(): TestSnapshot;
  /** Restores a snapshot, or the initial state, without faults and recorded requests. The clock is not reset. */
  reset(snapshot?: TestSnapshot): Promise<void>;
  /**
   * Returns the contents as a file, including Secrets: `createCluster({ from })` continues from it, and `coxswain
   * storage snapshot restore` turns it into a data directory.
   */
  export(snapshot?: TestSnapshot): Promise<Uint8Array>;
  /** Creates another cluster with the contents of this one, or of a snapshot. */
  fork(snapshot?: TestSnapshot): Promise<TestCluster>;
  /** Stops the cluster and releases its ports, timers and watches. */
  stop(): Promise<void>;
  /** For `await using cluster = await createCluster()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a cluster in this process, without ports: API server, controllers, scheduler and simulated nodes, with a
 * clock of its own. Takes tens of milliseconds after the first.
 * @throws Error for an unknown option, controller, feature gate or version, and for nodes that the API refuses
 * @example
 * const cluster = await createCluster({ nodes: 3, seed: 1 });
 * await cluster.apply(manifests);
 * await assertEventuallyHas(cluster, 'deployment/web', { status: { availableReplicas: 3 } });
 * await cluster.stop();
 */
export function createCluster(options?: CreateClusterOptions): Promise<TestCluster>;

/**
 * For `test('…', withCluster(async (cluster) => { … }))`: stops the cluster afterwards, and adds the seed to failures.
 * @example
 * test(
 *   'a namespace gets a default service account',
 *   withCluster(async (cluster) => {
 *     await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
 *     await assertEventuallyHas(cluster, 'serviceaccount/team/default');
 *   }),
 * );
 */
export function withCluster(
  body: (cluster: TestCluster) => void | Promise<void>,
  options?: CreateClusterOptions,
): () => Promise<void>;

/** The return value of a matcher of vitest or jest. */
export interface MatcherResult {
  readonly pass: boolean;
  /** The message of the failed assertion. */
  readonly message: () => string;
}

/** `deployment/web`, `pod/team-a/web-0`. */
export type ObjectName = string;

/**
 * For `expect.extend(matchers)` of vitest and jest.
 * @example
 * expect.extend(matchers);
 * await matchers.toEventuallyHave(cluster, 'deployment/web', { status: { availableReplicas: 3 } });
 * await matchers.toEventuallyLack(cluster, 'pod/team-a/old');
 * matchers.toHaveRequested(cluster, { verb: 'delete', resource: 'pods' }, 2);
 */
export const matchers: {
  /** Passes as soon as the object has everything in `wanted`, within a minute of the cluster's time. */
  toEventuallyHave(
    cluster: TestCluster,
    object: ObjectName,
    wanted?: object,
    options?: EventuallyOptions,
  ): Promise<MatcherResult>;
  /** Passes as soon as the object no longer exists. */
  toEventuallyLack(
    cluster: TestCluster,
    object: ObjectName,
    options?: EventuallyOptions,
  ): Promise<MatcherResult>;
  /** Passes if matching requests were made: exactly `times` of them, or any number. */
  toHaveRequested(cluster: TestCluster, pattern: RequestPattern, times?: number): MatcherResult;
};

/**
 * Resolves as soon as the object has everything in `wanted` (other fields are ignored), letting the cluster's time
 * pass.
 * @throws Error with the differences and the seed, after a minute of the cluster's time or `within`
 * @example
 * await assertEventuallyHas(cluster, 'job/flaky', { status: { failed: 3 } }, { within: '10m' });
 */
export function assertEventuallyHas(
  cluster: TestCluster,
  object: ObjectName,
  wanted?: object,
  options?: EventuallyOptions,
): Promise<void>;
/**
 * Resolves as soon as the object no longer exists.
 * @throws Error after a minute of the cluster's time or `within`
 * @example
 * await assertEventuallyLacks(cluster, 'pod/team-a/old');
 */
export function assertEventuallyLacks(
  cluster: TestCluster,
  object: ObjectName,
  options?: EventuallyOptions,
): Promise<void>;
/**
 * Checks that matching requests were made: exactly `times` of them, or any number.
 * @throws Error with the closest requests
 * @example
 * assertRequested(cluster, { verb: 'create', resource: 'pods' }, 3);
 */
export function assertRequested(cluster: TestCluster, pattern: RequestPattern, times?: number): void;
