/** The entry point to a cluster: resources by name, the underlying REST client, and discovery. */

import {
  apiVersionOf,
  parseApiVersion,
  type GroupKind,
  type GroupVersionResource,
  type KubeObject,
  type ObjectMeta,
} from '@coxswain/apimachinery';
import type { ApiResource } from '../discovery/discovered.ts';
import { discoveryClient, type DiscoveryClient } from '../discovery/discovery-client.ts';
import { NoMatchError, restMapper } from '../discovery/rest-mapper.ts';
import type { Part } from '../kind/draft.ts';
import { pluralOf, type KindRef, type NamedKind } from '../kind/kind-ref.ts';
import { RestClient, type RestClientOptions } from '../rest/rest-client.ts';
import { ResourceClient, type WriteOptions } from './resource-client.ts';

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes over fields that other managers own. */
  readonly force?: boolean;
  /** The namespace of objects that do not specify one. Defaults to `default`. */
  readonly namespace?: string;
}

/** An object, or a {@link Draft} of one, with apiVersion and kind. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Part<ObjectMeta>;
}

/**
 * A connection to a cluster. Create one with {@link createClient}, or with `connect` of `@coxswain/client/node`.
 * @example
 * const pods = client.resource<Pod>('v1', 'pods').namespace('default');
 * const widgets = client.of(Widget).namespace('shop');
 * const { resource, namespaced } = await client.mapped({ group: 'apps', kind: 'Deployment' }, 'v1');
 * const bot = client.with({ userAgent: 'my-bot/1.0' });
 * await bot.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, { fieldManager: 'my-bot' });
 * await client.close();
 */
export class KubeClient {
  readonly rest: RestClient;
  #discovery: DiscoveryClient | undefined;
  #hasDiscovered = false;

  constructor(rest: RestClient) {
    this.rest = rest;
  }

  /** What the server serves. */
  get discovery(): DiscoveryClient {
    return (this.#discovery ??= discoveryClient(this.rest));
  }

  /** `client.resource(pods)`, `client.resource('apps/v1', 'deployments')` */
  resource<T extends KubeObject = KubeObject>(resource: GroupVersionResource): ResourceClient<T>;
  resource<T extends KubeObject = KubeObject>(apiVersion: string, resource: string): ResourceClient<T>;
  resource<T extends KubeObject>(first: GroupVersionResource | string, second?: string): ResourceClient<T> {
    const resource =
      typeof first === 'string' ? { ...parseApiVersion(first), resource: second ?? '' } : first;
    return new ResourceClient<T>(this.rest, resource);
  }

  /**
   * The typed objects of a kind: `client.of(Deployment)`, `client.of(customKind(definition))`. For a kind without a
   * description, the caller provides the type: `client.of<Widget>({ group, version, kind })`.
   */
  of<T>(kind: KindRef<T>): ResourceClient<T & KubeObject>;
  of<T = KubeObject>(kind: NamedKind): ResourceClient<T & KubeObject>;
  of<T>(named: KindRef<T> | NamedKind): ResourceClient<T & KubeObject> {
    const { kind } = named;
    const { apiVersion, plural } =
      'apiVersion' in named
        ? { apiVersion: named.apiVersion, plural: named.names?.plural }
        : { apiVersion: apiVersionOf(named), plural: named.plural };
    const resource = { ...parseApiVersion(apiVersion), resource: plural ?? pluralOf(kind) };
    return new ResourceClient<T & KubeObject>(this.rest, resource, { typeMeta: { apiVersion, kind } });
  }

  /**
   * Server-side apply of any object: its manager owns the fields in the object and releases those that are no longer in
   * it. The resource name of the kind is looked up once on the server.
   * @throws NoMatchError if the server does not have the kind
   * @throws StatusError 409 if other managers own some of the fields, unless `force` is set
   */
  async apply<T extends Manifest>(object: T, options: ApplyOptions): Promise<T & KubeObject> {
    const { apiVersion, kind } = object;
    const { group, version } = parseApiVersion(apiVersion);
    const resource = await this.mapped({ group, kind }, version);
    const { namespace = options.namespace ?? 'default', name = '' } = object.metadata;
    const objects = this.resource<T & KubeObject>(resource);
    return (resource.namespaced ? objects.namespace(namespace) : objects).applyAs(
      name,
      object as unknown as T & KubeObject,
      options,
    );
  }

  /**
   * The resource name of a kind, from cached discovery; a missing kind is looked up once more, as it may be new.
   * @throws NoMatchError if the server does not have the kind
   */
  async mapped(kind: GroupKind, version: string): Promise<ApiResource> {
    const { discovery } = this;
    const isFirst = !this.#hasDiscovered;
    this.#hasDiscovered = true;
    try {
      return restMapper(await discovery.discover()).forKind(kind, version);
    } catch (error) {
      if (isFirst || !(error instanceof NoMatchError)) throw error;
      discovery.invalidate();
      return restMapper(await discovery.discover()).forKind(kind, version);
    }
  }

  /** Returns the same connection with another user agent, rate limiter or observer. */
  with(options: Partial<RestClientOptions>): KubeClient {
    return new KubeClient(this.rest.with(options));
  }

  /** Closes the connections. Watches end. */
  close(): Promise<void> {
    return this.rest.transport.close();
  }
}

/**
 * Creates a client over a transport: HTTPS, or directly to an API server in this process.
 * @example
 * const client = createClient({ transport: cluster.transport, clock: cluster.clock });
 * const { items } = await client.of(Pod).list();
 */
export const createClient = (options: RestClientOptions): KubeClient =>
  new KubeClient(new RestClient(options));
