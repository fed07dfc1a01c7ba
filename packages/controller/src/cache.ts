/** The cache that controllers read from, with one informer per kind. Its objects are shared: never modify them. */

import type { KubeObject } from '@coxswain/apimachinery';
import {
  InformerFactory,
  type IndexFunction,
  type Informer,
  type InformerFactoryOptions,
  type KindRef,
  type Lister,
  type Staleness,
} from '@coxswain/client';

export class Cache {
  readonly #factory: InformerFactory;
  readonly #informers = new Set<Informer<KubeObject>>();

  constructor(options: InformerFactoryOptions) {
    this.#factory = new InformerFactory(options);
  }

  /** The objects of a kind. A kind first requested while the manager is running is empty until {@link synced}. */
  of<T>(kind: KindRef<T>): Lister<T & KubeObject> {
    return this.informer(kind).lister;
  }

  informer<T>(kind: KindRef<T>): Informer<T & KubeObject> {
    const { resource } = this.#factory.client.of(kind);
    const informer = this.#factory.informer<T & KubeObject>(resource);
    this.#informers.add(informer as unknown as Informer<KubeObject>);
    return informer;
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

  start(signal: AbortSignal): void {
    this.#factory.start(signal);
  }

  stopped(): Promise<void> {
    return this.#factory.stopped();
  }
}
