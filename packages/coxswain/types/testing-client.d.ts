/** The client of a test cluster. Part of the types of `coxswain/testing`. */

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

/** An object with `apiVersion`, `kind` and a name. A `Draft` of `coxswain/api` is one, too. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Part<KubeObject['metadata']>;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of {@link ResourceClient.get}. */
export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string;
  /** `status`, `scale`, … */
  readonly subresource?: string;
}

/** Selects objects, and limits their number in one response. */
export interface ListOptions extends CallOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact';
  readonly limit?: number;
  readonly continue?: string;
  readonly timeoutSeconds?: number;
}

/** Options of {@link ResourceClient.watch}. */
export interface WatchOptions extends ListOptions {
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
}

/** Options of calls that modify objects. */
export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** `status`, `scale`, `eviction`, … */
  readonly subresource?: string;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes over fields that other managers own. */
  readonly force?: boolean;
}

/** How an object and its dependents are deleted. */
export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

/** Objects, and the resource version at which they were read. */
export interface ObjectList<T> {
  readonly items: T[];
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
}

/**
 * Operations on the objects of a resource. They fail with errors that have `code`, `reason` and `status`.
 * @example
 * const configMaps = cluster.client.resource('v1', 'configmaps').namespace('default');
 * const { metadata } = await configMaps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
 * const { items } = await configMaps.list({ labelSelector: 'app=web' });
 * await configMaps.update({ ...(await configMaps.get('settings')), data: { color: 'blue' } } as KubeObject);
 * await configMaps.patch('settings', { data: { color: 'red' } }, { type: 'merge' });
 * await configMaps.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } }, { fieldManager: 'test' });
 * for await (const { type, object } of configMaps.watch({ timeoutSeconds: 5 })) console.log(type, object.metadata.name);
 * await configMaps.delete('settings', { propagationPolicy: 'Foreground' });
 * await configMaps.deleteCollection({}, { labelSelector: 'app=web' });
 */
export interface ResourceClient<T> {
  /** Restricts the client to one namespace. Otherwise calls apply to all namespaces, or to cluster-scoped objects. */
  namespace(namespace: string): ResourceClient<T>;
  /**
   * One object.
   * @throws StatusError 404 if there is none
   */
  get(name: string, options?: GetOptions): Promise<T>;
  /** The objects that match, in one response. For long lists see {@link ResourceClient.items}. */
  list(options?: ListOptions): Promise<ObjectList<T>>;
  /**
   * The objects that match, one by one; they are requested page by page.
   * @example
   * const pods = cluster.client.resource('v1', 'pods');
   * for await (const pod of pods.items({ labelSelector: 'app=web' })) console.log(pod.metadata.name);
   */
  items(options?: ListOptions): AsyncIterable<T>;
  /**
   * Changes one by one, until the server ends the watch.
   * @throws StatusError 410 if the resource must be listed again
   */
  watch(options?: WatchOptions): AsyncIterable<{ readonly type: string; readonly object: T }>;
  /**
   * Creates an object. Resolves with the stored object, including defaults.
   * @param options `name` is required for subresources: `{ name: 'web-0', subresource: 'eviction' }`
   * @throws StatusError 409 if the name is taken, 422 if the object is invalid
   */
  create(object: T | Part<T>, options?: WriteOptions & { readonly name?: string }): Promise<T>;
  /**
   * Replaces an object.
   * @throws StatusError 409 if it has changed since it was read
   */
  update(object: T, options?: WriteOptions): Promise<T>;
  /**
   * Replaces the status of an object, and nothing else.
   * @throws StatusError 409 if it has changed since it was read
   * @example
   * const deployments = cluster.client.resource('apps/v1', 'deployments').namespace('default');
   * await deployments.updateStatus({ ...(await deployments.get('web')), status: { observedGeneration: 1 } } as KubeObject);
   */
  updateStatus(object: T, options?: WriteOptions): Promise<T>;
  /**
   * Changes parts of an object. Resolves with the whole object.
   * @throws StatusError 404 if there is none, 422 if the result is invalid
   */
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
  /**
   * Deletes an object, or marks it for deletion if it has finalizers or a grace period.
   * @throws StatusError 404 if there is none
   */
  delete(name: string, options?: DeleteOptions): Promise<unknown>;
  /** Deletes the objects that match; by default, all in the namespace. */
  deleteCollection(options?: DeleteOptions, selection?: ListOptions): Promise<unknown>;
}

/**
 * A typed client for the API of the cluster.
 * @example
 * const pods = cluster.client.resource('v1', 'pods').namespace('default');
 * await cluster.client.apply(
 *   { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { color: 'blue' } },
 *   { fieldManager: 'test' },
 * );
 */
export interface KubeClient {
  /** `client.resource('apps/v1', 'deployments')` */
  resource<T extends KubeObject = KubeObject>(apiVersion: string, resource: string): ResourceClient<T>;
  /** Server-side apply of any object. `namespace` is that of objects that do not specify one. Defaults to `default`. */
  apply<T extends Manifest>(
    object: T,
    options: ApplyOptions & { readonly namespace?: string },
  ): Promise<T & KubeObject>;
}

/** A request, ready to be sent. */
export interface TransportRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | { readonly object: unknown };
  readonly signal?: AbortSignal | undefined;
}

/**
 * A response: as an object, as watch events, or as bytes.
 * @example
 * const answer = await cluster.transport.send({ method: 'GET', path: '/metrics', headers: {} });
 * const text = new TextDecoder().decode(await answer.bytes()); // or, piece by piece, answer.stream()
 */
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
  /** The whole body. Must not be combined with `stream`. */
  bytes(): Promise<Uint8Array>;
  /** The body as it arrives. */
  stream(): AsyncIterable<Uint8Array>;
}

/**
 * A connection to the API server without a socket.
 * @example
 * const { status } = await cluster.transport.send({ method: 'GET', path: '/readyz', headers: {} });
 * await cluster.transport.close();
 */
export interface Transport {
  readonly structured: boolean;
  readonly address: string;
  /** Resolves with the response, whatever its status. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Ends all requests sent over it. The cluster keeps running. */
  close(): Promise<void>;
}
