/** The door to a cluster: resources by name, the REST client below, discovery beside. */

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

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes what others own. */
  readonly force?: boolean;
  /** Of an object that names none; `default` when absent. */
  readonly namespace?: string;
}

/** An object that says what it is; a {@link Draft} of one, too. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Part<ObjectMeta>;
}

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
   * The objects of a kind, with their type: `client.of(Deployment)`, `client.of(customKind(definition))`. Of a kind
   * that nothing describes, the type is what the caller says: `client.of<Widget>({ group, version, kind })`.
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
   * Server-side apply of any object: its manager owns what the object says, and gives up what it no longer says. What
   * the kind is called in paths is asked of the server, once.
   * @throws NoMatchError for a kind that the server does not have
   * @throws StatusError 409 when others own what is said, unless `force` is set
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
   * What a kind is called in paths, of what the server serves, which is remembered; a kind that is missing is asked for
   * once more, as it may be new.
   * @throws NoMatchError for a kind that the server does not have
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

  /** The same connection under another name, with other limits or another observer. */
  with(options: Partial<RestClientOptions>): KubeClient {
    return new KubeClient(this.rest.with(options));
  }

  close(): Promise<void> {
    return this.rest.transport.close();
  }
}

export const createClient = (options: RestClientOptions): KubeClient =>
  new KubeClient(new RestClient(options));
