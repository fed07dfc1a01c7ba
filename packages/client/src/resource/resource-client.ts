/** All that can be done with the objects of one resource. */

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

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string;
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
  /** The server has taken the watch; its first event may be long in coming. */
  readonly onOpen?: () => void;
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** `status`, `scale`, `eviction`, … */
  readonly subresource?: string;
}

export interface PatchOptions extends WriteOptions {
  /** Strategic for built-in kinds, merge for custom ones, when absent: strategic. */
  readonly type?: PatchType;
  readonly force?: boolean;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

export interface PagesOptions extends ListOptions {
  /**
   * When the state that is read is compacted away before the last page: `continue` with what the rest is now (each
   * object comes once at most, and the whole is no longer of one state), or `fail` with the server's 410, so that
   * the caller begins anew. `continue` when absent.
   */
  readonly whenExpired?: 'continue' | 'fail';
}

/** {@link ResourceClient.all} reads in pages so often before it asks for everything at once. */
const pagedTriesMax = 3;

/** Page size of {@link ResourceClient.pages}, as client-go's pager. */
export const pageSizeDefault = 500;

export const patchContentTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Which objects of a resource, and what is known of them. */
export interface ResourceScope {
  readonly namespace?: string;
  readonly metadataOnly?: boolean;
  readonly typeMeta?: { readonly apiVersion: string; readonly kind: string };
}

export class ResourceClient<T extends KubeObject = KubeObject> {
  readonly resource: GroupVersionResource;
  readonly #rest: RestClient;
  readonly #scope: ResourceScope;

  constructor(rest: RestClient, resource: GroupVersionResource, scope: ResourceScope = {}) {
    this.#rest = rest;
    this.resource = resource;
    this.#scope = scope;
  }

  /** Whether a network lies between here and the server. */
  get isRemote(): boolean {
    return !this.#rest.transport.structured;
  }

  /** The objects of one namespace. Without it, calls are about all namespaces or cluster-wide objects. */
  namespace(namespace: string): ResourceClient<T> {
    return new ResourceClient<T>(this.#rest, this.resource, { ...this.#scope, namespace });
  }

  /**
   * Reads carry the metadata only, where that is cheaper: over the network. In process whole objects come by
   * reference.
   */
  metadataOnly(): ResourceClient<KubeObject> {
    return new ResourceClient<KubeObject>(this.#rest, this.resource, { ...this.#scope, metadataOnly: true });
  }

  get(name: string, options: GetOptions & { readonly subresource?: string } = {}): Promise<T> {
    return this.#rest.request<T>({
      ...this.#target('GET', options),
      ...this.#partial(''),
      name,
      ...(options.subresource === undefined ? {} : { subresource: options.subresource }),
      query: { resourceVersion: options.resourceVersion },
    });
  }

  async list(options: ListOptions = {}): Promise<KubeList<T>> {
    const list = await this.#rest.request<KubeList<T>>({
      ...this.#target('GET', options),
      ...this.#partial('List'),
      query: listQuery(options),
    });
    // Go writes an empty list as null where nobody saw to it.
    return (list.items as T[] | null) === null ? { ...list, items: [] } : list;
  }

  /**
   * The list page by page, all of one state. When that state is compacted away before the last page, `whenExpired`
   * says what follows.
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

  /** The objects of {@link pages}, one after the other. */
  async *items(options: PagesOptions = {}): AsyncGenerator<T> {
    for await (const page of this.pages(options)) yield* page.items;
  }

  /**
   * All objects, read in pages and all of one state: begun anew when that state is compacted away meanwhile, and at
   * last asked for in one answer.
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

  create(object: T | DraftBody<T>, options: WriteOptions & { readonly name?: string } = {}): Promise<T> {
    return this.#rest.request<T>({
      ...this.#target('POST', options),
      ...(options.name === undefined ? {} : { name: options.name }),
      ...this.#write(options),
      body: this.#named(object),
    });
  }

  update(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#rest.request<T>({
      ...this.#target('PUT', options),
      name: object.metadata.name ?? '',
      ...this.#write(options),
      body: this.#named(object),
    });
  }

  updateStatus(object: T, options: WriteOptions = {}): Promise<T> {
    return this.update(object, { ...options, subresource: 'status' });
  }

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
   * Server-side apply: `object` says what its manager wants, and only that.
   * @throws StatusError 409 when others own what is said, unless `force` is set
   */
  apply(
    object: T | Part<T>,
    options: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ): Promise<T> {
    const { metadata } = object as KubeObject;
    return this.applyAs(metadata.name ?? '', object, options);
  }

  /** As {@link apply}, to the object of this name. */
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

  /** The object that is going, or a Status, as the resource has it. */
  delete(name: string, options: DeleteOptions = {}): Promise<T | Status> {
    return this.#rest.request<T | Status>({
      ...this.#target('DELETE', options),
      name,
      ...deleteBody(options),
    });
  }

  deleteCollection(options: DeleteOptions = {}, selection: ListOptions = {}): Promise<KubeList<T> | Status> {
    return this.#rest.request<KubeList<T> | Status>({
      ...this.#target('DELETE', options),
      query: listQuery(selection),
      ...deleteBody(options),
    });
  }

  /** Events one by one. Ends when the server ends the watch. @throws StatusError 410 when it is to be listed again */
  async *watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>> {
    for await (const batch of this.watchBatches(options)) yield* batch;
  }

  /** As {@link watch}, with the events that came in together: cheaper where there are many. */
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

  /** Says what it is, as writes must; who reads a list gets objects that don't. */
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

/** Where the server lets a list go on whose state is gone. */
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
