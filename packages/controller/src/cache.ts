/** The cache that controllers read from, with one informer per kind. Its objects are shared: never modify them. */

import type { KubeObject } from '@coxswain/apimachinery';
import {
  InformerFactory,
  type IndexFunction,
  type Informer,
  type InformerFactoryOptions,
  type InformerScope,
  type KindRef,
  type Lister,
  type Staleness,
} from '@coxswain/client';

/** Restricts what is read into memory. */
export interface CacheOptions {
  /** Only objects of this namespace are read. Cluster-scoped kinds (`names.namespaced: false`) are read as a whole. */
  readonly namespace?: string;
  /** Restricts the objects of individual kinds. Objects outside the cache trigger nothing. */
  readonly kinds?: readonly CachedKind[];
}

/** `{ kind: Secret, labelSelector: 'app=web' }`; `namespace: ''` is every namespace. */
export interface CachedKind extends InformerScope {
  readonly kind: KindRef;
}

/**
 * The objects that controllers read: those of each kind that was requested, kept up to date. Do not modify them.
 * @example
 * manager.cache.index(Deployment, 'image', ({ spec }) => spec.template.spec.containers.map(({ image = '' }) => image));
 * manager.cache.informer(Deployment).addHandler({ added: (object) => console.log(object.metadata.name) });
 * // Once the manager runs:
 * await manager.cache.synced();
 * const web = manager.cache.of(Deployment).get('web', 'default');
 * const old = manager.cache.of(Deployment).byIndex('image', 'nginx:1.0');
 */
export class Cache {
  readonly #factory: InformerFactory;
  readonly #options: CacheOptions;
  readonly #informers = new Set<Informer<KubeObject>>();

  constructor(informers: InformerFactoryOptions, options: CacheOptions = {}) {
    this.#factory = new InformerFactory(informers);
    this.#options = options;
  }

  /** The objects of a kind. A kind first requested while the manager is running is empty until {@link synced}. */
  of<T>(kind: KindRef<T>): Lister<T & KubeObject> {
    return this.informer(kind).lister;
  }

  /** The informer behind {@link of}, for custom handlers. */
  informer<T>(kind: KindRef<T>): Informer<T & KubeObject> {
    const { resource } = this.#factory.client.of(kind);
    const informer = this.#factory.informer<T & KubeObject>(resource, {}, this.#scopeOf(kind));
    this.#informers.add(informer as unknown as Informer<KubeObject>);
    return informer;
  }

  #scopeOf({ apiVersion, kind, names }: KindRef): InformerScope {
    const { namespace: usual, kinds = [] } = this.#options;
    const { kind: _kind, ...own }: Partial<CachedKind> =
      kinds.find((each) => each.kind.apiVersion === apiVersion && each.kind.kind === kind) ?? {};
    const { namespace = usual, ...selectors } = own;
    return names?.namespaced === false || namespace === undefined || namespace === ''
      ? selectors
      : { ...selectors, namespace };
  }

  /** Adds an index over these values: `cache.of(Widget).byIndex('config', 'a')`. */
  index<T>(kind: KindRef<T>, name: string, valuesOf: IndexFunction<T & KubeObject>): void {
    this.informer(kind).addIndex(name, valuesOf);
  }

  /** Resolves when every requested kind has been listed. */
  synced(): Promise<void> {
    return this.#factory.synced();
  }

  get hasSynced(): boolean {
    return [...this.#informers].every((informer) => informer.hasSynced);
  }

  /** The staleness of the kind that is furthest behind; undefined if none is watched. */
  get staleness(): Staleness | undefined {
    return [...this.#informers].map(({ staleness }) => staleness).sort((a, b) => b.ageMs - a.ageMs)[0];
  }

  /**
   * Fills the cache and keeps it up to date until the signal aborts. The manager does this.
   * @example
   * const cache = new Cache({ client });
   * const pods = cache.of(Pod);
   * cache.start(signal);
   * await cache.synced();
   * console.log(pods.list('default').length);
   * await cache.stopped();
   */
  start(signal: AbortSignal): void {
    this.#factory.start(signal);
  }

  /**
   * Resolves when all watches have ended.
   * @example
   * const stopping = new AbortController();
   * const cache = new Cache({ client });
   * cache.start(stopping.signal);
   * stopping.abort();
   * await cache.stopped();
   */
  stopped(): Promise<void> {
    return this.#factory.stopped();
  }
}
