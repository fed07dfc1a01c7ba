/// <reference lib="esnext.disposable" />
/**
 * The types of `coxswain/testing`, whole and by themselves. What a test gives and is given is declared here, and the
 * sources take it from here; `src/testing/published-types.test.ts` holds the rest against the sources.
 */

/** Any object of Kubernetes. `coxswain/api/…` has types for the built-in kinds. */
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

/** All that can be done with the objects of one resource. Failures are errors with `code`, `reason` and `status`. */
export interface ResourceClient<T> {
  namespace(namespace: string): ResourceClient<T>;
  get(name: string, options?: GetOptions): Promise<T>;
  list(options?: ListOptions): Promise<ObjectList<T>>;
  /** Page by page. */
  items(options?: ListOptions): AsyncIterable<T>;
  watch(options?: WatchOptions): AsyncIterable<{ readonly type: string; readonly object: T }>;
  /** @param options `name` is needed for subresources: `{ name: 'web-0', subresource: 'eviction' }` */
  create(object: T, options?: WriteOptions & { readonly name?: string }): Promise<T>;
  update(object: T, options?: WriteOptions): Promise<T>;
  updateStatus(object: T, options?: WriteOptions): Promise<T>;
  patch(
    name: string,
    patch: unknown,
    options?: WriteOptions & {
      /** Strategic when absent. */
      readonly type?: 'json' | 'merge' | 'strategic' | 'apply';
      readonly force?: boolean;
    },
  ): Promise<T>;
  apply(
    object: T,
    options: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ): Promise<T>;
  delete(name: string, options?: DeleteOptions): Promise<unknown>;
  deleteCollection(options?: DeleteOptions, selection?: ListOptions): Promise<unknown>;
}

export interface KubeClient {
  /** `client.resource('apps/v1', 'deployments')` */
  resource<T extends KubeObject = KubeObject>(apiVersion: string, resource: string): ResourceClient<T>;
}

/** `'2h'`, `'1m30s'`, `'90d'`, or milliseconds. */
export type Duration = string | number;

/** YAML or JSON with one or more objects, one object, or several. */
export type Manifests = string | object | readonly object[];

/** A name, `system:serviceaccount:<namespace>:<name>`, or a user with groups. */
export type AsUser = string | { readonly name: string; readonly groups?: readonly string[] };

export interface NodeSpec {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly capacity?: Readonly<Record<string, string>>;
  /** From where its pods get addresses: `10.244.0.0/24`. */
  readonly podCidr: string;
  readonly address: string;
}

/** What is absent is as of the next `node-<number>`. */
export type NewNode = Partial<NodeSpec>;

/** The simulated nodes, which come and go while the test runs. */
export interface TestNodes {
  /** Of those that are there now, the lost ones too. */
  readonly names: readonly string[];
  /** One more; resolves with its name when the API knows it. @throws Error when there is one, or the API refuses it */
  add(node?: NewNode): Promise<string>;
  /** Takes it away for good, with its containers, and deletes its Node; its pods are left to the controllers. */
  remove(name: string): Promise<void>;
  /** The node is lost: no lease, no kubelet. Its containers go on. */
  fail(name: string): Promise<void>;
  recover(name: string): Promise<void>;
}

export interface CreateClusterOptions {
  /** As `--controllers` of kube-controller-manager: `['*', '-job-controller']`; none: `false`. */
  readonly controllers?: readonly string[] | false;
  /** How many simulated nodes, or which; one when absent. What one does not say of itself is as of `node-<number>`. */
  readonly nodes?: number | readonly NewNode[];
  /** Stages and other objects of kwok, in YAML, for nodes annotated `kwok.x-k8s.io/node: fake`, their pods, and any other kind. */
  readonly stages?: string;
  /** Whether pods are given nodes; true when absent. */
  readonly scheduler?: boolean;
  /** What clusters have beside Kubernetes: a default StorageClass, addresses for Services, an IngressClass; none when absent. */
  readonly addons?: readonly ('storage' | 'load-balancers' | 'ingress-class')[];
  /** Whether network policies hold between simulated pods; true when absent. */
  readonly networkPolicies?: boolean;
  /** Whether it is told what pods use, as by a metrics server (`metrics.k8s.io`); true when absent. */
  readonly metrics?: boolean;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** What is served beyond the default, or not: `{ 'api/legacy': true, 'batch/v1': false }`. */
  readonly versions?: Readonly<Record<string, boolean>>;
  /** `virtual`: time stands still unless the test lets it pass. `system`: that of the machine. Virtual when absent. */
  readonly clock?: 'virtual' | 'system';
  /** Where virtual time begins; the first of January 2026 when absent. */
  readonly startTime?: Date | string;
  /** All that is random comes from it. `COXSWAIN_SEED`, or one of chance, when absent. */
  readonly seed?: number;
  /** Where the first kubeconfig that is asked for opens a port; any free one when absent. */
  readonly port?: number;
  /** The address of that port; 127.0.0.1 when absent. */
  readonly bindAddress?: string;
  /** Of what has no namespace in `apply` and the matchers; `default` when absent. */
  readonly namespace?: string;
  /** What components complain of; nobody hears it when absent. */
  readonly log?: (line: string) => void;
}

/** What a request must be to be meant; `*` and absence mean any. Several values: one of them. */
export interface RequestPattern {
  readonly user?: string | readonly string[];
  readonly verb?: string | readonly string[];
  /** `pods`, `pods/status`, `deployments.apps`; `pods` does not mean its subresources, `pods/*` does. */
  readonly resource?: string | readonly string[];
  readonly namespace?: string | readonly string[];
  readonly name?: string | readonly string[];
}

export interface RecordedRequest {
  /** Counts from 1. */
  readonly number: number;
  /** When it came, in milliseconds of the cluster's time. */
  readonly atMs: number;
  readonly user: string;
  /** `get`, `list`, `watch`, `create`, …; the method in lower case where the path is of no resource. */
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
  /** What was sent, where it came as an object or as JSON. */
  readonly body: unknown;
  /** HTTP status; 0 while it is under way, or when it failed without an answer. */
  readonly status: number;
  /** What a fault did to it. */
  readonly fault?: string;
}

export type FaultAction =
  /** Answered with this code, without having been carried out. */
  | 'error'
  /** Carried out later. */
  | 'latency'
  /** A write is answered with 409, as if somebody had been faster. */
  | 'conflict'
  /** The watch ends, at once or after some of its events. */
  | 'dropWatch'
  /** A read gets what was there some time ago. */
  | 'staleRead'
  /** Carried out, and answered with 504: whoever asked cannot know. */
  | 'lostAnswer';

export interface Fault extends RequestPattern {
  readonly action: FaultAction;
  /** From 0 to 1; always when absent. */
  readonly probability?: number;
  /** It happens so often and then no more. */
  readonly times?: number;
  /** Of `error`: 400 to 599; 500 when absent. */
  readonly code?: number;
  /** Of `error` and `conflict`. */
  readonly message?: string;
  /** Of `latency`, in the cluster's time, which passes while somebody waits for the answer; one second when absent. */
  readonly delay?: Duration;
  /** Of `staleRead`: how many writes the answer lags behind; 10 when absent. */
  readonly lag?: number;
  /** Of `dropWatch`: so many events come before it ends; none when absent. */
  readonly afterEvents?: number;
}

export interface ActiveFault {
  readonly fault: Fault;
  /** How often it has happened. */
  readonly count: number;
  /** It happens no more. */
  remove(): void;
}

export interface Faults {
  /** @throws TypeError for a rule that makes no sense */
  add(fault: Fault): ActiveFault;
  /** Nothing goes wrong any more. */
  clear(): void;
  list(): readonly ActiveFault[];
}

export interface EventuallyOptions {
  /** How much of the cluster's time may pass; a minute when absent. */
  readonly within?: Duration;
  /** How often it is tried; every second when absent. */
  readonly every?: Duration;
}

export interface IdleOptions {
  /**
   * How much of the cluster's time may pass without anything being written: shorter pauses (a container that
   * starts, a retry after a conflict) are waited for, longer ones (a back-off, a lease) are not. In milliseconds;
   * a second when absent.
   */
  readonly quietMs?: number;
  /** How long the whole may take, in milliseconds of real time; 10 seconds when absent. */
  readonly timeoutMs?: number;
}

export interface TransportRequest {
  readonly method: string;
  /** With query. */
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

/** Into the API server without a socket. */
export interface Transport {
  readonly structured: boolean;
  readonly address: string;
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

export interface LogOptions {
  /** The only one when absent. */
  readonly container?: string;
  /** Of the run before this one. */
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
  /** Server-side apply. Resolves with what is stored. */
  apply(manifests: Manifests): Promise<readonly KubeObject[]>;
  /** Deletes them; those that are not there are left alone. */
  remove(manifests: Manifests): Promise<void>;
  /** What a container has written: `logs('pod/web-0')`, `logs('team/web-0', { container: 'log' })`. */
  logs(pod: string, options?: LogOptions): Promise<string>;
  /** A kubeconfig for this user, as text. The first one opens a port on 127.0.0.1. */
  kubeconfig(): Promise<string>;
}

export interface TestClock {
  now(): number;
  monotonic(): number;
  after(delayMs: number, callback: () => void): { cancel(): void };
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Lets time pass: every timer that falls due fires, in order. */
  advance(by: Duration): Promise<void>;
}

/** What a cluster held at one moment. */
export interface TestSnapshot {
  readonly cluster: { readonly revision: number };
}

export interface TestCluster extends ClusterView {
  /** Where all that is random comes from; `COXSWAIN_SEED` repeats it. */
  readonly seed: number;
  /** Of what `apply` and the matchers are given without one. */
  readonly namespace: string;
  readonly clock: TestClock;
  readonly faults: Faults;
  readonly requests: {
    (pattern?: RequestPattern): readonly RecordedRequest[];
    clear(): void;
  };
  /** All that was ever stored, in order. */
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
  /** The same cluster as somebody else sees it. */
  as(user: AsUser): ClusterView;
  /** Resolves when nothing is left to do: no request, no key in a queue, no event of a watch, no timer due. */
  idle(options?: IdleOptions): Promise<void>;
  /** Tries until it neither throws nor answers with false, and lets the cluster's time pass in between. */
  eventually<T>(attempt: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
  snapshot(): TestSnapshot;
  /** As it was then, or when it was created; no faults, no recorded requests. Time goes on. */
  reset(snapshot?: TestSnapshot): Promise<void>;
  /** Another cluster that begins with what this one holds, or held then. */
  fork(snapshot?: TestSnapshot): Promise<TestCluster>;
  /** Nothing of it is left then: no port, no timer, no watch. */
  stop(): Promise<void>;
  /** For `await using cluster = await createCluster()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export function createCluster(options?: CreateClusterOptions): Promise<TestCluster>;

/** For `test('…', withCluster(async (cluster) => { … }))`: stops the cluster; a failure tells its seed. */
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
