/** One informer per resource, shared by all users of the factory. */

import {
  formatGroupResource,
  type Clock,
  type GroupVersionResource,
  type KubeObject,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import type { KubeClient } from '../resource/kube-client.ts';
import { Informer, type InformerOptions } from './informer.ts';
import type { Indexers } from './store.ts';

/** What all informers of a factory share. */
export interface InformerFactoryOptions {
  readonly client: KubeClient;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  readonly resyncMs?: number;
  readonly watchList?: boolean;
  readonly sharesEqualParts?: InformerOptions<KubeObject>['sharesEqualParts'];
  /** As in {@link Informer}: does not wait for resources that the server lacks. */
  readonly absentIsEmpty?: boolean;
  /** Receives failures of lists, watches and handlers. The informers continue. */
  readonly onError?: (error: unknown, resource: GroupVersionResource) => void;
}

/** Restricts the objects of a resource; defaults to all. */
export interface InformerScope extends Pick<InformerOptions<KubeObject>, 'labelSelector' | 'fieldSelector'> {
  readonly namespace?: string;
}

/**
 * One {@link Informer} per resource, shared by everyone who requests it.
 * @example
 * const informers = new InformerFactory({ client, onError: console.error });
 * const pods = informers.informer<KubeObject & Pod>(podsResource, { node: (pod) => [pod.spec.nodeName ?? ''] });
 * informers.start(signal);
 * await informers.synced();
 * const secrets = informers.metadataInformer({ group: '', version: 'v1', resource: 'secrets' }, signal);
 * const { metadata } = await client.of(Pod).list();
 * await informers.caughtUp(Number(metadata.resourceVersion));
 * await informers.stopped();
 */
export class InformerFactory {
  readonly client: KubeClient;
  readonly #options: InformerFactoryOptions;
  readonly #informers = new Map<string, Informer<KubeObject>>();
  /** Those that {@link #synced} does not include yet. */
  readonly #unawaited: Informer<KubeObject>[] = [];
  #synced = Promise.resolve();
  readonly #runs = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  constructor(options: InformerFactoryOptions) {
    this.#options = options;
    this.client = options.client;
  }

  /**
   * Returns the shared informer, with these indexes added. It runs once {@link start} was called.
   * @param scope restricts the informer, if it is created by this call
   */
  informer<T extends KubeObject>(
    resource: GroupVersionResource,
    indexers: Indexers<T> = {},
    { namespace, ...selectors }: InformerScope = {},
  ): Informer<T> {
    const key = `${formatGroupResource(resource)}/${resource.version}`;
    let informer = this.#informers.get(key);
    if (informer === undefined) {
      const { client: _client, onError, ...options } = this.#options;
      const everywhere = this.client.resource(resource);
      informer = new Informer<KubeObject>({
        ...options,
        ...selectors,
        resource: namespace === undefined ? everywhere : everywhere.namespace(namespace),
        onError: (error) => onError?.(error, resource),
      });
      this.#informers.set(key, informer);
      this.#unawaited.push(informer);
      if (this.#signal !== undefined) this.#run(informer, this.#signal);
    }
    const typed = informer as unknown as Informer<T>;
    for (const [name, of] of Object.entries(indexers)) typed.addIndex(name, of);
    return typed;
  }

  /**
   * For users of metadata only: returns the shared informer if there is one, otherwise one that reads only metadata.
   */
  metadataInformer(resource: GroupVersionResource, signal: AbortSignal): Informer<KubeObject> {
    const shared = this.#informers.get(`${formatGroupResource(resource)}/${resource.version}`);
    if (shared !== undefined) return shared;
    const { client, onError, ...options } = this.#options;
    const informer = new Informer<KubeObject>({
      ...options,
      resource: client.resource(resource).metadataOnly(),
      onError: (error) => onError?.(error, resource),
    });
    this.#run(informer, signal);
    return informer;
  }

  /** Runs all informers, including those requested later, until the signal is aborted. */
  start(signal: AbortSignal): void {
    if (this.#signal !== undefined) return;
    this.#signal = signal;
    for (const informer of this.#informers.values()) this.#run(informer, signal);
  }

  /** Resolves when every informer requested so far has its first list. */
  async synced(): Promise<void> {
    const added = this.#unawaited.splice(0);
    if (added.length > 0)
      this.#synced = Promise.all([this.#synced, ...added.map((informer) => informer.synced)]).then(() => {});
    await this.#synced;
  }

  /** Resolves when every informer that has its first list has seen this resource version, or a newer one. */
  async caughtUp(resourceVersion: number): Promise<void> {
    const synced = [...this.#informers.values()].filter((informer) => informer.hasSynced);
    await Promise.all(synced.map((informer) => informer.reached(resourceVersion)));
  }

  #run(informer: Informer<KubeObject>, signal: AbortSignal): void {
    const run = informer.run(signal).finally(() => this.#runs.delete(run));
    this.#runs.add(run);
  }

  /** Resolves when all informers have stopped after the signal. */
  async stopped(): Promise<void> {
    await Promise.all(this.#runs);
  }
}
