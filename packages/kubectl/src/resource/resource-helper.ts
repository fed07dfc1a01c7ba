/** The requests for one resource, as kubectl makes them. */
import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import type { ApiClient, ApiRequest } from '../api-client.ts';
import { groupVersionOf, objectPath, resourcePath, type ResourceMapping } from '../mapping.ts';

export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
  readonly force?: boolean;
  readonly subresource?: string;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const patchContentTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

export interface ListQuery {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string;
}

type ListObject = KubeObject & { readonly metadata: { readonly continue?: string } };

export class ResourceHelper {
  readonly #client: ApiClient;
  readonly #mapping: ResourceMapping;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #query: Readonly<Record<string, string>>;

  /** @param extra added to every read, for example the Accept header for Tables */
  constructor(
    client: ApiClient,
    mapping: ResourceMapping,
    extra: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly query?: Readonly<Record<string, string>>;
    } = {},
  ) {
    this.#client = client;
    this.#mapping = mapping;
    this.#headers = extra.headers ?? {};
    this.#query = extra.query ?? {};
  }

  get(namespace: string, name: string, subresource = ''): Promise<KubeObject> {
    return this.#read(this.#pathOf(namespace, name, subresource), {});
  }

  list(namespace: string, query: ListQuery = {}): Promise<ListObject> {
    return this.#read(this.#path(namespace), {
      labelSelector: query.labelSelector || undefined,
      fieldSelector: query.fieldSelector || undefined,
      limit: query.limit ? String(query.limit) : undefined,
      continue: query.continue || undefined,
      resourceVersion: query.resourceVersion || undefined,
    });
  }

  watch(namespace: string, query: Readonly<Record<string, string | undefined>>, signal?: AbortSignal) {
    return this.#client.stream({
      method: 'GET',
      path: this.#path(namespace),
      query: { ...this.#query, ...query, watch: 'true' },
      headers: this.#headers,
      ...(signal ? { signal } : {}),
    });
  }

  /** The version of an object that was read elsewhere is not sent: a server refuses it for a new one. */
  create(namespace: string, object: unknown, options: WriteOptions = {}, name = ''): Promise<KubeObject> {
    const path = this.#path(namespace, name, options.subresource);
    const given = object as Partial<KubeObject>;
    const isVersioned = Boolean(given.metadata?.resourceVersion);
    return this.#write('POST', path, isVersioned ? withoutVersion(given as KubeObject) : object, options);
  }

  patch(
    namespace: string,
    name: string,
    type: PatchType,
    patch: unknown,
    options: WriteOptions = {},
  ): Promise<KubeObject> {
    return this.#write('PATCH', this.#pathOf(namespace, name, options.subresource), patch, options, {
      'content-type': patchContentTypes[type],
    });
  }

  /** Without a resourceVersion in `object`, whatever is stored is overwritten. */
  async replace(
    namespace: string,
    name: string,
    object: KubeObject,
    overwrite: boolean,
    options: WriteOptions = {},
  ): Promise<KubeObject> {
    const path = this.#pathOf(namespace, name, options.subresource);
    if (!overwrite || object.metadata.resourceVersion) return this.#write('PUT', path, object, options);
    const current = await this.get(namespace, name, options.subresource).catch(() => undefined);
    // If reading fails, the write may still fail with a better message, or create the object.
    if (current === undefined) return this.#write('PUT', path, object, options);
    const resourceVersion = current.metadata.resourceVersion ?? '';
    return this.#write(
      'PUT',
      path,
      { ...object, metadata: { ...object.metadata, resourceVersion } },
      options,
    );
  }

  delete(namespace: string, name: string, options: Record<string, unknown>): Promise<KubeObject> {
    const body = {
      kind: 'DeleteOptions',
      apiVersion: this.#mapping.group === '' ? 'v1' : groupVersionOf(this.#mapping),
      ...options,
    };
    return this.#client.request<KubeObject>({ method: 'DELETE', path: this.#pathOf(namespace, name), body });
  }

  #path(namespace: string, name = '', subresource = ''): string {
    return resourcePath(this.#mapping, namespace, name, subresource);
  }

  #pathOf(namespace: string, name: string, subresource = ''): string {
    return objectPath(this.#mapping, namespace, name, subresource);
  }

  #read<T extends KubeObject>(path: string, query: Readonly<Record<string, string | undefined>>): Promise<T> {
    return this.#client.request<T>({
      method: 'GET',
      path,
      query: { ...this.#query, ...query },
      headers: this.#headers,
    });
  }

  #write(
    method: ApiRequest['method'],
    path: string,
    body: unknown,
    options: WriteOptions,
    headers: Record<string, string> = {},
  ): Promise<KubeObject> {
    return this.#client.request<KubeObject>({
      method,
      path,
      headers,
      body,
      query: {
        dryRun: options.dryRun ? 'All' : undefined,
        fieldManager: options.fieldManager || undefined,
        fieldValidation: options.fieldValidation || undefined,
        force: options.force === undefined ? undefined : String(options.force),
      },
    });
  }
}

/** Names the list that failed, as upstream. */
export function enhanceListError(failure: unknown, mapping: ResourceMapping, query: ListQuery): unknown {
  if (!(failure instanceof StatusError)) return failure;
  const { reason } = failure;
  if (reason !== 'NotFound' && reason !== 'BadRequest') return failure;
  const subject = `"${mapping.group}/${mapping.version}, Resource=${mapping.resource}"`;
  const message =
    !query.labelSelector && !query.fieldSelector
      ? `Unable to list ${subject}: ${failure.message}`
      : `Unable to find ${subject} that match label selector "${query.labelSelector ?? ''}", field selector "${query.fieldSelector ?? ''}": ${failure.message}`;
  return StatusError.from({ ...failure.status, message });
}

/** For an object that is not stored yet. */
export function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _version, ...metadata } = object.metadata;
  return { ...object, metadata };
}
