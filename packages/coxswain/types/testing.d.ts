/// <reference lib="esnext.disposable" />
/**
 * The complete, self-contained types of `coxswain/testing`. What tests pass in and get back is declared here and imported
 * by the sources; `src/testing/published-types.test.ts` compares the rest with the sources.
 */

import type { Images } from './testing-images.d.ts';

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

/** Any Kubernetes object. `coxswain/api/…` has types for the built-in kinds. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name?: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    generateName?: string;
    generation?: number;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    finalizers?: string[];
    ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string }[];
  };
}

/** Any part of an object, which may be read-only. A `Draft` of `coxswain/api` is one, too. */
export type Part<T> = T extends readonly (infer E)[]
  ? readonly Part<E>[]
  : T extends object
    ? { readonly [K in Exclude<keyof T, symbol>]?: Part<T[K]> }
    : T;

/** An object that says what it is. A `Draft` of `coxswain/api` is one, too. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Part<KubeObject['metadata']>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string;
  /** `status`, `scale`, … */
  readonly subresource?: string;
}

export interface ListOptions extends CallOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact';
  readonly limit?: number;
  readonly continue?: string;
  readonly timeoutSeconds?: number;
}

export interface WatchOptions extends ListOptions {
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** `status`, `scale`, `eviction`, … */
  readonly subresource?: string;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes over fields that other managers own. */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

export interface ObjectList<T> {
  readonly items: T[];
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
}

/** Operations on the objects of a resource. They fail with errors that have `code`, `reason` and `status`. */
export interface ResourceClient<T> {
  namespace(namespace: string): ResourceClient<T>;
  get(name: string, options?: GetOptions): Promise<T>;
  list(options?: ListOptions): Promise<ObjectList<T>>;
  /** Lists page by page. */
  items(options?: ListOptions): AsyncIterable<T>;
  watch(options?: WatchOptions): AsyncIterable<{ readonly type: string; readonly object: T }>;
  /** @param options `name` is required for subresources: `{ name: 'web-0', subresource: 'eviction' }` */
  create(object: T | Part<T>, options?: WriteOptions & { readonly name?: string }): Promise<T>;
  update(object: T, options?: WriteOptions): Promise<T>;
  updateStatus(object: T, options?: WriteOptions): Promise<T>;
  patch(
    name: string,
    patch: unknown,
    options?: WriteOptions & {
      /** Defaults to `strategic`. */
      readonly type?: 'json' | 'merge' | 'strategic' | 'apply';
      readonly force?: boolean;
    },
  ): Promise<T>;
  /** Server-side apply of exactly the fields that the manager wants to own. */
  apply(object: T | Part<T>, options: ApplyOptions): Promise<T>;
  delete(name: string, options?: DeleteOptions): Promise<unknown>;
  deleteCollection(options?: DeleteOptions, selection?: ListOptions): Promise<unknown>;
}

export interface KubeClient {
  /** `client.resource('apps/v1', 'deployments')` */
  resource<T extends KubeObject = KubeObject>(apiVersion: string, resource: string): ResourceClient<T>;
  /** Server-side apply of any object. `namespace` is that of objects that do not specify one. Defaults to `default`. */
  apply<T extends Manifest>(
    object: T,
    options: ApplyOptions & { readonly namespace?: string },
  ): Promise<T & KubeObject>;
}

/** `'2h'`, `'1m30s'`, `'90d'`, or milliseconds. */
export type Duration = string | number;

/** YAML or JSON with one or more objects, an object, or a list of objects. */
export type Manifests = string | object | readonly object[];

/** A name, `system:serviceaccount:<namespace>:<name>`, or a user with groups. */
export type AsUser = string | { readonly name: string; readonly groups?: readonly string[] };

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

/** The simulated nodes, which can be added and removed during a test. */
export interface TestNodes {
  /** The names of the current nodes, including failed ones. */
  readonly names: readonly string[];
  /** Adds a node and resolves with its name once its Node object exists. @throws Error if the name is taken or the API rejects the node */
  add(node?: NewNode): Promise<string>;
  /** Removes a node for good, with its containers and its Node object. Its pods are left to the controllers. */
  remove(name: string): Promise<void>;
  /** Simulates an outage of the node: no lease, no kubelet. Its containers keep running. */
  fail(name: string): Promise<void>;
  recover(name: string): Promise<void>;
}

/**
 * Answers a review with a review: an AdmissionReview or a ConversionReview. `validating`, `mutating` and `conversion` of
 * `@coxswain/controller` make such functions. When it throws, the API server gets status 500 with that message.
 */
export type WebhookHandler = (review: unknown) => unknown;

/** Webhooks of admission and conversion that are functions. They outlast `reset`, and forks have those of their origin. */
export interface Webhooks {
  readonly urls: readonly string[];
  /**
   * The function is asked in place of the server at that URL, without a network and without certificates.
   * @param url as in `clientConfig.url`; a `clientConfig.service` has `https://<name>.<namespace>.svc[:port]/<path>`
   * @throws TypeError for what is no such URL, and no function
   */
  define(url: string, handler: WebhookHandler): void;
  remove(url: string): void;
}

export interface CreateClusterOptions {
  /** As `--controllers` of kube-controller-manager: `['*', '-job-controller']`; `false` for none. */
  readonly controllers?: readonly string[] | false;
  /** The number of simulated nodes, or a list of them. Missing fields of a node are those of `node-<number>`. Defaults to 1. */
  readonly nodes?: number | readonly NewNode[];
  /** kwok stages and other kwok objects, as YAML, for nodes annotated with `kwok.x-k8s.io/node: fake`, their pods, and any other kind. */
  readonly stages?: string;
  /** Whether the scheduler runs. Defaults to true. */
  readonly scheduler?: boolean;
  /** Add-ons: a default StorageClass, addresses for Services, an IngressClass. Defaults to none. */
  readonly addons?: readonly ('storage' | 'load-balancers' | 'ingress-class')[];
  /** Whether network policies are enforced between simulated pods. Defaults to true. */
  readonly networkPolicies?: boolean;
  /** Whether `metrics.k8s.io` is served, as by a metrics server. Defaults to true. */
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

export interface RecordedRequest {
  /** Counts from 1. */
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
  /** Without the question mark. */
  readonly query: string;
  /** The body, if it is an object or JSON. */
  readonly body: unknown;
  /** The HTTP status; 0 while the request is in flight, or if it failed without a response. */
  readonly status: number;
  /** The fault that was applied. */
  readonly fault?: string;
}

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

export interface ActiveFault {
  readonly fault: Fault;
  /** How many times the fault has been applied. */
  readonly count: number;
  /** Removes the rule. */
  remove(): void;
}

export interface Faults {
  /** @throws TypeError for an invalid rule */
  add(fault: Fault): ActiveFault;
  /** Removes all rules. */
  clear(): void;
  list(): readonly ActiveFault[];
}

export interface EventuallyOptions {
  /** The timeout on the cluster's clock. Defaults to a minute. */
  readonly within?: Duration;
  /** The interval between attempts. Defaults to a second. */
  readonly every?: Duration;
}

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

export interface TransportRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | { readonly object: unknown };
  readonly signal?: AbortSignal | undefined;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly object?: unknown;
  readonly events?: AsyncIterable<
    readonly {
      type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
      object: KubeObject;
    }[]
  >;
  bytes(): Promise<Uint8Array>;
  stream(): AsyncIterable<Uint8Array>;
}

/** A connection to the API server without a socket. */
export interface Transport {
  readonly structured: boolean;
  readonly address: string;
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

export interface LogOptions {
  /** Defaults to the only container. */
  readonly container?: string;
  /** The logs of the previous instance of the container. */
  readonly previous?: boolean;
  readonly tailLines?: number;
  readonly timestamps?: boolean;
}

/** A cluster, seen by one user. */
export interface ClusterView {
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  readonly client: KubeClient;
  /** For `createClient({ transport, clock })` of `@coxswain/client`, and so for controllers made with it. */
  readonly transport: Transport;
  /** Server-side apply. Resolves with the stored objects. */
  apply(manifests: Manifests): Promise<readonly KubeObject[]>;
  /** Deletes the objects; missing ones are ignored. */
  remove(manifests: Manifests): Promise<void>;
  /** The output of a container: `logs('pod/web-0')`, `logs('team/web-0', { container: 'log' })`. */
  logs(pod: string, options?: LogOptions): Promise<string>;
  /** A kubeconfig for this user, as text. The first call opens a port on 127.0.0.1. */
  kubeconfig(): Promise<string>;
  /**
   * A link that opens the page of the cluster (`coxswain ui`) in one browser, once, with the rights of this user. The page
   * is served on 127.0.0.1 until the cluster stops.
   */
  ui(): Promise<string>;
}

export interface TestClock {
  now(): number;
  monotonic(): number;
  after(delayMs: number, callback: () => void): { cancel(): void };
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Advances the clock and fires every timer that falls due, in order. */
  advance(by: Duration): Promise<void>;
}

/** The contents of a cluster at a point in time. */
export interface TestSnapshot {
  readonly cluster: { readonly revision: number };
}

export interface TestCluster extends ClusterView {
  /** The seed for everything random. Set `COXSWAIN_SEED` to it to reproduce a run. */
  readonly seed: number;
  /** The default namespace of `apply` and the matchers. */
  readonly namespace: string;
  readonly clock: TestClock;
  readonly faults: Faults;
  readonly requests: {
    (pattern?: RequestPattern): readonly RecordedRequest[];
    clear(): void;
    /** The requests as lines of an audit log (audit.k8s.io/v1, level Metadata), as `coxswain rbac minimal --from-audit` reads it. */
    auditLog(pattern?: RequestPattern): string;
  };
  /** Everything that was ever stored, in order. */
  readonly history: { lines(): Promise<readonly string[]>; digest(): Promise<string> };
  /** Controllers by name, `scheduler`, `kubelets`. */
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
  /** Webhooks of admission and conversion that are functions. */
  readonly webhooks: Webhooks;
  /**
   * Sends a request from outside of the cluster: to a Service (`http://web.default`), a host of an Ingress or HTTPRoute, a
   * node port (`http://node-0:30080`) or any address. With the virtual clock, time passes until the answer. Fails as the
   * `fetch` of Node does.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The same cluster, as another user. */
  as(user: AsUser): ClusterView;
  /** Resolves when nothing is left to do: no request in flight, no key in a queue, no pending watch event, no timer due. */
  idle(options?: IdleOptions): Promise<void>;
  /** Retries until `attempt` neither throws nor returns false, advancing the clock in between. */
  eventually<T>(attempt: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
  snapshot(): TestSnapshot;
  /** Restores a snapshot, or the initial state, without faults and recorded requests. The clock is not reset. */
  reset(snapshot?: TestSnapshot): Promise<void>;
  /** Creates another cluster with the contents of this one, or of a snapshot. */
  fork(snapshot?: TestSnapshot): Promise<TestCluster>;
  /** Stops the cluster and releases its ports, timers and watches. */
  stop(): Promise<void>;
  /** For `await using cluster = await createCluster()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export function createCluster(options?: CreateClusterOptions): Promise<TestCluster>;

/** For `test('…', withCluster(async (cluster) => { … }))`: stops the cluster afterwards, and adds the seed to failures. */
export function withCluster(
  body: (cluster: TestCluster) => void | Promise<void>,
  options?: CreateClusterOptions,
): () => Promise<void>;

export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** `deployment/web`, `pod/team-a/web-0`. */
export type ObjectName = string;

/** For `expect.extend(matchers)` of vitest and jest. */
export const matchers: {
  toEventuallyHave(
    cluster: TestCluster,
    object: ObjectName,
    wanted?: object,
    options?: EventuallyOptions,
  ): Promise<MatcherResult>;
  toEventuallyLack(
    cluster: TestCluster,
    object: ObjectName,
    options?: EventuallyOptions,
  ): Promise<MatcherResult>;
  toHaveRequested(cluster: TestCluster, pattern: RequestPattern, times?: number): MatcherResult;
};

/** The matchers as functions that throw, for node:test. */
export function assertEventuallyHas(
  cluster: TestCluster,
  object: ObjectName,
  wanted?: object,
  options?: EventuallyOptions,
): Promise<void>;
export function assertEventuallyLacks(
  cluster: TestCluster,
  object: ObjectName,
  options?: EventuallyOptions,
): Promise<void>;
export function assertRequested(cluster: TestCluster, pattern: RequestPattern, times?: number): void;
