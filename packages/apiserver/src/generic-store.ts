/**
 * The generic store behind every resource: it reads through the cache and writes through the strategy. An object is
 * decoded once on arrival and encoded once when stored; the store returns the cache's entries, with their stored bytes,
 * which all readers share.
 */
import {
  here,
  isStatusError,
  newUid,
  runStepInTurn,
  systemClock,
  systemRandom,
  type Clock,
  type GroupResource,
  type KubeObject,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import { mapAsyncInSlices } from '@coxswain/apimachinery/slices.ts';
import type { Kind } from '@coxswain/schema';
import { Cacher } from '@coxswain/storage/cacher/cacher.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import type { ResourceForm } from './api-group.ts';
import type { ApiRequest } from './http/api-request.ts';
import { createObject } from './registry/create-object.ts';
import { OrderedValidation } from './registry/ordered-validation.ts';
import {
  convertedSelection,
  selectedList,
  selectedWatch,
  type ConvertedSelection,
} from './registry/converted-selection.ts';
import { convertedWatch } from './registry/converted-watch.ts';
import { decoratedWatch } from './registry/decorated-watch.ts';
import { deleteObject } from './registry/delete-object.ts';
import { deleteUnreadable } from './registry/delete-unreadable.ts';
import { keyOf } from './registry/keys.ts';
import { listCached } from './registry/list-cached.ts';
import { objectCodec, type StoredForm } from './registry/object-codec.ts';
import { interpretRead, revisionOfRead, revisionOfWatch } from './registry/revisions.ts';
import { StoredResource, type Cached, type StoredConversion } from './registry/stored-resource.ts';
import { updateObject } from './registry/update-object.ts';
import { watchCached } from './registry/watch-cached.ts';
import type { CreateOptions, DeleteOptions, GetOptions, ListOptions, UpdateOptions } from './rest/options.ts';
import type { Served, ServedList, ServedWatch } from './rest/served.ts';
import type {
  CollectionDeleter,
  Creater,
  DeleteResult,
  Getter,
  GracefulDeleter,
  Lister,
  RestStorage,
  UpdatedObject,
  UpdateResult,
  Updater,
  UpdateValidation,
  ValidateObject,
  Watcher,
} from './rest/storage.ts';
import type { Strategy } from './strategy.ts';

export type { StoredConversion } from './registry/stored-resource.ts';

export interface GenericStoreOptions<T extends KubeObject = KubeObject> {
  readonly resource: GroupResource;
  /** The kind in the stored version. */
  readonly kind: Kind;
  /** Versions in which another server that shares the store may have written objects. */
  readonly otherVersions?: readonly ResourceForm[];
  readonly strategy: Strategy<T>;
  readonly storage: Storage;
  /** The encoding of stored values; JSON if unset. */
  readonly storedForm?: StoredForm | undefined;
  /** One of `otherVersions`, in which objects are written so that older servers that share the store can read them. */
  readonly storedAs?: ResourceForm | undefined;
  /** `/registry/configmaps` */
  readonly prefix: string;
  /** Fields by which lists and watches are indexed: `spec.nodeName`. */
  readonly indexedFields?: readonly string[];
  readonly clock?: Clock;
  readonly random?: Random;
  readonly newUid?: () => string;
  /** Whether deletecollection is offered; true if unset. */
  readonly collectionDeletable?: boolean;
  /** Whether watches bypass the cache and know no more history than the store. */
  readonly uncached?: boolean;
  /** False if lists at past revisions are read from the store, with its limits and errors. */
  readonly listsFromSnapshots?: boolean;
  /** The cache to share, for another endpoint over the same objects. */
  readonly cache?: Cacher<KubeObject>;
  /** For a `kind` other than the stored one, when conversion is asynchronous. */
  readonly conversion?: StoredConversion | undefined;
}

export class GenericStore implements RestStorage, Getter, Lister, Watcher, Creater, Updater, GracefulDeleter {
  readonly kind: Kind;
  readonly namespaced: boolean;
  readonly resource: GroupResource;
  readonly strategy: Strategy;
  readonly storagePrefix: string;
  readonly cache: Cacher<KubeObject>;
  readonly deleteCollection?: CollectionDeleter['deleteCollection'];
  readonly #options: GenericStoreOptions;
  readonly #stored: StoredResource;
  readonly #indexedFields: readonly string[];
  readonly #listsFromSnapshots: boolean;
  readonly #siblings = new WeakMap<Strategy, GenericStore>();

  constructor(options: GenericStoreOptions) {
    this.kind = options.kind;
    this.resource = options.resource;
    this.strategy = options.strategy;
    this.namespaced = options.strategy.namespaced;
    this.storagePrefix = options.prefix;
    const clock = options.clock ?? systemClock;
    this.#indexedFields = options.indexedFields ?? [];
    this.#listsFromSnapshots = options.listsFromSnapshots ?? true;
    this.#options = options;
    this.cache =
      options.cache ??
      new Cacher<KubeObject>({
        storage: options.storage,
        prefix: `${options.prefix}/`,
        codec: objectCodec(options.kind, options.otherVersions),
        readsPastFromStore: options.uncached ?? false,
        clock,
      });
    this.#stored = new StoredResource({
      resource: options.resource,
      kind: options.kind,
      strategy: options.strategy,
      cache: this.cache,
      keys: { prefix: options.prefix, namespaced: this.namespaced },
      clock,
      random: options.random ?? systemRandom,
      newUid: options.newUid ?? newUid,
      storedForm: options.storedForm,
      storedAs: options.storedAs,
      conversion: options.conversion,
    });
    if (options.collectionDeletable !== false) this.deleteCollection = this.#deleteCollection.bind(this);
  }

  /** The same objects, written by the strategy of another endpoint: `/status`, `/resize`. */
  withStrategy(strategy: Strategy): GenericStore {
    let store = this.#siblings.get(strategy);
    if (store === undefined) {
      store = new GenericStore({ ...this.#options, strategy, cache: this.cache });
      this.#siblings.set(strategy, store);
    }
    return store;
  }

  get isConvertedElsewhere(): boolean | undefined {
    return this.#options.conversion?.isElsewhere;
  }

  get objectCount(): number {
    return this.cache.size;
  }

  /** {@link update} with the strategy of another endpoint. */
  updateWith(strategy: Strategy, ...args: Parameters<Updater['update']>): Promise<UpdateResult> {
    return this.withStrategy(strategy).update(...args);
  }

  get resetFields(): Strategy['resetFields'] {
    return this.strategy.resetFields;
  }

  get(request: ApiRequest, name: string, options: GetOptions): Served | Promise<Served> {
    const key = keyOf(this.#stored.keys, request.namespace, name);
    // Upstream also reads what expires by itself from the store, which fails in other words than a cache.
    const isStored = this.#options.uncached === true || this.strategy.timeToLiveSeconds !== undefined;
    const wanted = (isStored ? revisionOfRead : revisionOfWatch)(options.resourceVersion);
    const found = runStepInTurn(
      request.observer,
      here`cache/get`,
      () => this.cache.get(key, wanted === 0 ? 'any' : wanted),
      request.observer && { key, notOlderThan: wanted },
      this.cache.get,
    );
    if (!(found instanceof Promise))
      return this.#stored.inVersion(this.#present(found, request, name), request);
    return found.then(
      (later) => this.#stored.inVersion(this.#present(later, request, name), request),
      (failure: unknown) => {
        throw interpretRead(failure, wanted, isStored ? 0 : 1);
      },
    );
  }

  list(request: ApiRequest, options: ListOptions): ServedList | Promise<ServedList> {
    const selection = this.#convertedSelection(options);
    const { stored = options } = selection ?? {};
    const { observer, namespace } = request;
    const read = () => {
      const list = listCached(
        this.cache,
        this.#stored.keys,
        namespace,
        stored,
        this.#indexedFields,
        this.resource,
        this.#listsFromSnapshots,
        observer,
      );
      if (observer !== undefined) noteList(observer, list);
      return list;
    };
    const listed = runStepInTurn(observer, here`cache/list`, read, undefined, this.cache.list);
    if (selection !== undefined) return this.#listInVersion(listed, selection, request);
    if (this.strategy.decorate === undefined) return listed;
    const decorated = (list: ServedList): ServedList => ({
      ...list,
      items: list.items.map((item) => this.#stored.decoratedServed(item)),
    });
    return listed instanceof Promise ? listed.then(decorated) : decorated(listed);
  }

  async watch(request: ApiRequest, options: ListOptions): Promise<ServedWatch> {
    const { cache } = this;
    const selection = this.#convertedSelection(options);
    // Watches over the network belong to clients that cannot handle a revision that goes back.
    const followsResets = request.incoming.structured;
    const open = () =>
      watchCached(
        cache,
        this.#stored.keys,
        request.namespace,
        selection?.stored ?? options,
        this.#indexedFields,
        followsResets,
        request.observer,
      );
    const watch = await runStepInTurn(request.observer, here`cache/watch`, open, undefined, cache.watch);
    if (selection !== undefined) {
      const converted = convertedWatch(watch, (served) => this.#stored.inVersion(served));
      return selectedWatch(converted, selection);
    }
    if (this.strategy.decorate === undefined) return watch;
    return decoratedWatch(watch, (served) => this.#stored.decoratedServed(served));
  }

  create(
    request: ApiRequest,
    object: KubeObject,
    options: CreateOptions,
    validate: ValidateObject,
  ): Promise<Served> {
    return createObject(this.#stored, request, object, options, validate);
  }

  update(
    request: ApiRequest,
    name: string,
    change: UpdatedObject,
    options: UpdateOptions,
    validation: UpdateValidation,
  ): Promise<UpdateResult> {
    return updateObject(this.#stored, request, name, change, options, validation);
  }

  delete(
    request: ApiRequest,
    name: string,
    options: DeleteOptions,
    validate: ValidateObject,
  ): Promise<DeleteResult> {
    return deleteObject(this.#stored, request, name, options, validate);
  }

  deleteUnreadable(request: ApiRequest, name: string): Promise<void> {
    return deleteUnreadable(this.#stored, request, name);
  }

  async #deleteCollection(
    request: ApiRequest,
    options: DeleteOptions,
    listOptions: ListOptions,
    validate: ValidateObject,
  ): Promise<ServedList> {
    const listed = await this.list(request, listOptions);
    const inOrder = new OrderedValidation(validate);
    const deleteOne = async ({ object }: Served): Promise<void> => {
      const turn = inOrder.next();
      try {
        await this.delete(request, object.metadata.name ?? '', options, turn.validate);
      } catch (failure) {
        if (!isStatusError(failure, 'NotFound')) throw failure;
      } finally {
        turn.end();
      }
    };
    await mapAsyncInSlices(listed.items, deleteOne, deletionsAtOnce, this.#stored.clock, request.owner);
    return listed;
  }

  #present(found: Cached | undefined, request: ApiRequest, name: string): Served {
    if (found === undefined) throw this.#stored.missing(request, name);
    return this.#stored.decorated(found);
  }

  /** Undefined if objects are stored in the served version. */
  #convertedSelection(options: ListOptions): ConvertedSelection | undefined {
    return this.#options.conversion && convertedSelection(options, this.#stored.kind);
  }

  async #listInVersion(
    listed: ServedList | Promise<ServedList>,
    selection: ConvertedSelection,
    request: ApiRequest,
  ): Promise<ServedList> {
    const list = await listed;
    const { clock } = this.#stored;
    const convert = (item: Served) => this.#stored.inVersion(item, request);
    const items = await mapAsyncInSlices(list.items, convert, conversionsAtOnce, clock, request.owner);
    return selectedList({ ...list, items }, selection);
  }
}

/** The maximum number of objects of one list that are converted concurrently. */
const conversionsAtOnce = 256;

/** The maximum number of concurrent deletions of one collection; they share commits of the store. */
const deletionsAtOnce = 256;

function noteList(observer: StepObserver, list: ServedList | Promise<ServedList>): void {
  const note = ({ items, resourceVersion, remainingItemCount, continue: next }: ServedList) =>
    observer.note?.({ items: items.length, resourceVersion, remainingItemCount, continue: next });
  if (list instanceof Promise) list.then(note, () => undefined);
  else note(list);
}
