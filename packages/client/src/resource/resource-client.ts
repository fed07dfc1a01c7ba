/** Operations on the objects of a resource. */

import {
  isStatusError,
  type GroupVersionResource,
  type KubeList,
  type KubeObject,
  type Status,
  type WatchEvent,
} from '@coxswain/apimachinery';
import type { DraftBody, Part } from '../kind/draft.ts';
import type { QueryValue } from '../rest/request-path.ts';
import type { RestClient, RestRequest } from '../rest/rest-client.ts';

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of {@link ResourceClient.get}. */
export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string;
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
  /** Called when the server has accepted the watch, possibly long before the first event. */
  readonly onOpen?: () => void;
}

/** Options of calls that modify objects. */
export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** `status`, `scale`, `eviction`, … */
  readonly subresource?: string;
}

/** Options of {@link ResourceClient.patch}. */
export interface PatchOptions extends WriteOptions {
  /** Defaults to `strategic`, which works for built-in kinds only; use `merge` for custom ones. */
  readonly type?: PatchType;
  readonly force?: boolean;
}

/** JSON patch (RFC 6902), JSON merge patch (RFC 7396), strategic merge patch, or server-side apply. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** How an object and its dependents are deleted. */
export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

/** Options of {@link ResourceClient.pages}. */
export interface PagesOptions extends ListOptions {
  /**
   * What to do if the revision being read is compacted before the last page: `continue` (the default) with the current
   * state of the rest, so that each object is returned at most once but the list mixes revisions, or `fail` with the
   * server's 410, so that the caller can start over.
   */
  readonly whenExpired?: 'continue' | 'fail';
}

/** How many times {@link ResourceClient.all} tries to read in pages before it requests everything at once. */
const pagedTriesMax = 3;

/** The page size of {@link ResourceClient.pages}, as in client-go's pager. */
export const pageSizeDefault = 500;

/** @internal */
export const patchContentTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Selects a resource and a namespace, with what is known about them. */
export interface ResourceScope {
  readonly namespace?: string;
  readonly metadataOnly?: boolean;
  readonly typeMeta?: { readonly apiVersion: string; readonly kind: string };
}

/**
 * The objects of one resource. It has no state: create one whenever you need it.
 * @example
 * const deployments = client.of(Deployment).namespace('default');
 * const web = await deployments.get('web');
 * await deployments.update({ ...web, spec: { ...web.spec, replicas: 5 } });
 * await deployments.patch('web', { spec: { replicas: 3 } }, { type: 'merge' });
 * await deployments.apply({ metadata: { name: 'web' }, spec: { replicas: 3 } }, { fieldManager: 'scaler' });
 * await deployments.applyAs('web', { metadata: {}, spec: { paused: true } }, { fieldManager: 'freezer', force: true });
 * await deployments.updateStatus(web);
 * const { items } = await deployments.list({ labelSelector: 'app=web', limit: 10 });
 * await deployments.delete('web', { propagationPolicy: 'Foreground' });
 * await deployments.deleteCollection({}, { labelSelector: 'app=web' });
 */
export class ResourceClient<T extends KubeObject = KubeObject> {
  readonly resource: GroupVersionResource;
  readonly #rest: RestClient;
  readonly #scope: ResourceScope;

  constructor(rest: RestClient, resource: GroupVersionResource, scope: ResourceScope = {}) {
    this.#rest = rest;
    this.resource = resource;
    this.#scope = scope;
  }

  /** Whether the server is reached over a network. */
  get isRemote(): boolean {
    return !this.#rest.transport.structured;
  }

  /**
   * Restricts the client to one namespace. Otherwise, calls apply to all namespaces or to cluster-scoped objects.
   * @example
   * const pods = client.of(Pod).namespace('kube-system');
   */
  namespace(namespace: string): ResourceClient<T> {
    return new ResourceClient<T>(this.#rest, this.resource, { ...this.#scope, namespace });
  }

  /**
   * Reads fetch only the metadata if that is cheaper, that is, over a network. In process, complete objects are passed
   * by reference.
   * @example
   * const names = await client.of(Pod).metadataOnly().list();
   */
  metadataOnly(): ResourceClient<KubeObject> {
    return new ResourceClient<KubeObject>(this.#rest, this.resource, { ...this.#scope, metadataOnly: true });
  }

  /**
   * One object.
   * @throws StatusError 404 if there is none
   */
  get(name: string, options: GetOptions & { readonly subresource?: string } = {}): Promise<T> {
    return this.#rest.request<T>({
      ...this.#target('GET', options),
      ...this.#partial(''),
      name,
      ...(options.subresource === undefined ? {} : { subresource: options.subresource }),
      query: { resourceVersion: options.resourceVersion },
    });
  }

  /** The objects that match, in one response. Long lists are better read with {@link items} or {@link all}. */
  async list(options: ListOptions = {}): Promise<KubeList<T>> {
    const list = await this.#rest.request<KubeList<T>>({
      ...this.#target('GET', options),
      ...this.#partial('List'),
      query: listQuery(options),
    });
    // Go may encode an empty list as null.
    return (list.items as T[] | null) === null ? { ...list, items: [] } : list;
  }

  /**
   * Lists page by page at a single revision. If that revision is compacted before the last page, `whenExpired`
   * determines what follows.
   * @example
   * for await (const { items } of client.of(Pod).pages({ limit: 100 })) console.log(items.length);
   */
  async *pages(options: PagesOptions = {}): AsyncGenerator<KubeList<T>> {
    const { whenExpired = 'continue', ...query } = options;
    let next = query.continue;
    do {
      let page: KubeList<T>;
      try {
        page = await this.list({
          limit: pageSizeDefault,
          ...query,
          ...(next === undefined ? {} : { continue: next }),
        });
      } catch (error) {
        const resumed = whenExpired === 'continue' && next !== undefined ? continueOf(error) : undefined;
        if (resumed === undefined || resumed === next) throw error;
        next = resumed;
        continue;
      }
      yield page;
      next = page.metadata.continue;
    } while (next !== undefined && next !== '');
  }

  /**
   * The objects of {@link pages}, one by one.
   * @example
   * for await (const pod of client.of(Pod).items({ fieldSelector: 'status.phase=Failed' })) console.log(pod.metadata.name);
   */
  async *items(options: PagesOptions = {}): AsyncGenerator<T> {
    for await (const page of this.pages(options)) yield* page.items;
  }

  /**
   * All objects at a single revision, read in pages. Starts over if that revision is compacted, and finally requests
   * everything at once.
   * @example
   * const { items, metadata } = await client.of(Pod).all();
   * for await (const event of client.of(Pod).watch({ resourceVersion: metadata.resourceVersion ?? '' })) console.log(event.type);
   */
  async all(options: ListOptions = {}): Promise<KubeList<T>> {
    for (let attempt = 0; attempt < pagedTriesMax; attempt++) {
      try {
        return await this.#collected(options);
      } catch (error) {
        if (!isStatusError(error) || error.code !== 410) throw error;
      }
    }
    const { limit: _limit, ...whole } = options;
    return this.list(whole);
  }

  async #collected(options: ListOptions): Promise<KubeList<T>> {
    const items: T[] = [];
    let last: KubeList<T> | undefined;
    for await (const page of this.pages({ ...options, whenExpired: 'fail' })) {
      for (const item of page.items) items.push(item);
      last = page;
    }
    const { resourceVersion } = last!.metadata;
    return { ...last!, metadata: resourceVersion === undefined ? {} : { resourceVersion }, items };
  }

  /**
   * Creates an object. Resolves with the stored object, including defaults.
   * @throws StatusError 409 if the name is taken, 422 if the object is invalid
   * @example
   * const made = await client.of(Pod).namespace('default').create({
   *   metadata: { generateName: 'job-' },
   *   spec: { containers: [{ name: 'job', image: 'busybox' }] },
   * });
   * // A subresource names its object: evict a pod.
   * await client.resource('v1', 'pods').namespace('default').create(
   *   { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web-0' } },
   *   { name: 'web-0', subresource: 'eviction' },
   * );
   */
  create(object: T | DraftBody<T>, options: WriteOptions & { readonly name?: string } = {}): Promise<T> {
    return this.#rest.request<T>({
      ...this.#target('POST', options),
      ...(options.name === undefined ? {} : { name: options.name }),
      ...this.#write(options),
      body: this.#named(object),
    });
  }

  /**
   * Replaces an object.
   * @throws StatusError 409 if it has changed since it was read
   */
  update(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#rest.request<T>({
      ...this.#target('PUT', options),
      name: object.metadata.name ?? '',
      ...this.#write(options),
      body: this.#named(object),
    });
  }

  /**
   * Replaces the status of an object, and nothing else.
   * @throws StatusError 409 if it has changed since it was read
   */
  updateStatus(object: T, options: WriteOptions = {}): Promise<T> {
    return this.update(object, { ...options, subresource: 'status' });
  }

  /**
   * Changes parts of an object. Resolves with the whole object.
   * @throws StatusError 404 if there is none, 422 if the result is invalid
   */
  patch(name: string, patch: unknown, options: PatchOptions = {}): Promise<T> {
    const write = this.#write(options);
    return this.#rest.request<T>({
      ...this.#target('PATCH', options),
      name,
      ...write,
      query: { ...write.query, force: options.force },
      body: patch,
      contentType: patchContentTypes[options.type ?? 'strategic'],
    });
  }

  /**
   * Server-side apply. `object` contains exactly the fields that its manager wants to own.
   * @throws StatusError 409 if other managers own some of them, unless `force` is set
   */
  apply(
    object: T | Part<T>,
    options: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ): Promise<T> {
    const { metadata } = object as KubeObject;
    return this.applyAs(metadata.name ?? '', object, options);
  }

  /**
   * Like {@link apply}, for the object with this name.
   * @param name the name of the object
   * @param object the fields that its manager wants to own
   * @param options the manager, and whether it takes over fields that others own
   */
  applyAs(
    name: string,
    object: T | Part<T>,
    {
      fieldManager,
      force,
      ...options
    }: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ): Promise<T> {
    return this.patch(name, this.#named(object), {
      ...options,
      fieldManager,
      ...(force === undefined ? {} : { force }),
      type: 'apply',
    });
  }

  /** Resolves with the deleted object or a Status, depending on the resource. */
  delete(name: string, options: DeleteOptions = {}): Promise<T | Status> {
    return this.#rest.request<T | Status>({
      ...this.#target('DELETE', options),
      name,
      ...deleteBody(options),
    });
  }

  /** Deletes the objects that match; by default, all in the namespace. */
  deleteCollection(options: DeleteOptions = {}, selection: ListOptions = {}): Promise<KubeList<T> | Status> {
    return this.#rest.request<KubeList<T> | Status>({
      ...this.#target('DELETE', options),
      query: listQuery(selection),
      ...deleteBody(options),
    });
  }

  /**
   * Changes one by one, until the server ends the watch.
   * @throws StatusError 410 if the resource must be listed again
   * @example
   * for await (const { type, object } of client.of(Pod).watch({ resourceVersion: '0' })) {
   *   console.log(type, object.metadata.name);
   * }
   */
  async *watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>> {
    for await (const batch of this.watchBatches(options)) yield* batch;
  }

  /**
   * Like {@link watch}, but yields events in batches as received, which is cheaper for many events.
   * @example
   * for await (const events of client.of(Pod).watchBatches({ sendInitialEvents: true, allowWatchBookmarks: true }))
   *   console.log(`${events.length} changes`);
   */
  watchBatches(options: WatchOptions = {}): AsyncGenerator<readonly WatchEvent<T>[]> {
    const request = {
      ...this.#target('GET', options),
      ...this.#partial(''),
      query: {
        ...listQuery(options),
        allowWatchBookmarks: options.allowWatchBookmarks,
        sendInitialEvents: options.sendInitialEvents,
      },
    };
    return this.#rest.watch<T>(request, options.onOpen);
  }

  /** Adds apiVersion and kind, which writes require and the items of lists lack. */
  #named(object: T | DraftBody<T> | Part<T>): unknown {
    const { typeMeta } = this.#scope;
    return typeMeta === undefined ? object : { ...typeMeta, ...object };
  }

  #target(verb: string, options: CallOptions): RestRequest {
    return {
      verb,
      groupVersion: this.resource,
      resource: this.resource.resource,
      ...(this.#scope.namespace === undefined ? {} : { namespace: this.#scope.namespace, namespaced: true }),
      ...(options.headers === undefined ? {} : { headers: options.headers }),
      signal: options.signal,
    };
  }

  #partial(suffix: 'List' | ''): { accept?: string } {
    if (this.#scope.metadataOnly !== true || this.#rest.transport.structured) return {};
    return {
      accept: `application/json;as=PartialObjectMetadata${suffix};g=meta.k8s.io;v=v1,application/json`,
    };
  }

  #write(options: WriteOptions): { subresource?: string; query: Readonly<Record<string, QueryValue>> } {
    return {
      ...(options.subresource === undefined ? {} : { subresource: options.subresource }),
      query: {
        dryRun: options.dryRun ? 'All' : undefined,
        fieldManager: options.fieldManager,
        fieldValidation: options.fieldValidation,
      },
    };
  }
}

/** The continue token for a list whose revision has been compacted. */
function continueOf(error: unknown): string | undefined {
  if (!isStatusError(error) || error.code !== 410) return undefined;
  return error.status.metadata.continue || undefined;
}

function listQuery(options: ListOptions): Readonly<Record<string, QueryValue>> {
  return {
    labelSelector: options.labelSelector || undefined,
    fieldSelector: options.fieldSelector || undefined,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    limit: options.limit,
    continue: options.continue,
    timeoutSeconds: options.timeoutSeconds,
  };
}

function deleteBody(options: DeleteOptions): { body?: unknown } {
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun } = options;
  if (gracePeriodSeconds === undefined && !propagationPolicy && !preconditions && !dryRun) return {};
  return {
    body: {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      ...(propagationPolicy ? { propagationPolicy } : {}),
      ...(preconditions ? { preconditions } : {}),
      ...(dryRun ? { dryRun: ['All'] } : {}),
    },
  };
}
