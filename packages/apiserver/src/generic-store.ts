/**
 * The one store behind every resource: reads through the cache, writes through the strategy. An object is
 * decoded once when it comes in and encoded once when it is stored; what it hands out are the cache's
 * entries, with stored bytes, shared by all readers.
 */
import {
  alreadyExists,
  conflict,
  deepClone,
  generateNameConflict,
  invalid,
  invalidError,
  isStatusError,
  notFound,
  optimisticLockReason,
  runStep,
  StatusError,
  systemClock,
  systemRandom,
} from '@coxswain/apimachinery';
import type { Clock, GroupResource, KubeObject, Random } from '@coxswain/apimachinery';
import { OrderedValidation } from './registry/ordered-validation.ts';
import { forgetEmptied } from '@coxswain/schema';
import type { Kind } from '@coxswain/schema';
import { Cacher } from '@coxswain/storage/cacher/cacher.ts';
import type { CachedObject } from '@coxswain/storage/cacher/cached-object.ts';
import type { Change, Storage } from '@coxswain/storage/storage.ts';
import type { ResourceForm } from './api-group.ts';
import type { ApiRequest } from './http/api-request.ts';
import {
  beforeCreate,
  beforeUpdate,
  fillSystemFields,
  resourceVersionOnCreate,
} from './registry/before-write.ts';
import { checkDeletionPreconditions, isFinished, planDeletion } from './registry/before-delete.ts';
import { deletedStatus } from './registry/deleted-status.ts';
import { generatedName, generatedNameAttemptsMax } from './registry/generated-name.ts';
import { keyOf } from './registry/keys.ts';
import type { KeySpace } from './registry/keys.ts';
import { listCached } from './registry/list-cached.ts';
import { keepUnchangedTimes } from './registry/managed-field-times.ts';
import { isServedAs, objectCodec, storedValue } from './registry/object-codec.ts';
import type { StoredForm } from './registry/object-codec.ts';
import { claimsRevision, interpretRead, revisionOfWatch, revisionOfWrite } from './registry/revisions.ts';
import { convertedWatch } from './registry/converted-watch.ts';
import { decoratedWatch } from './registry/decorated-watch.ts';
import { watchCached } from './registry/watch-cached.ts';
import type {
  CreateOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  UpdateOptions,
  WriteOptions,
} from './rest/options.ts';
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
import type { FinishWrite, Strategy } from './strategy.ts';

export interface GenericStoreOptions<T extends KubeObject = KubeObject> {
  readonly resource: GroupResource;
  /** In the version that is stored. */
  readonly kind: Kind;
  /** In which another server of the same store may have written an object. */
  readonly otherVersions?: readonly ResourceForm[];
  readonly strategy: Strategy<T>;
  readonly storage: Storage;
  /** How values are written; JSON when absent. */
  readonly storedForm?: StoredForm | undefined;
  /** `/registry/configmaps` */
  readonly prefix: string;
  /** Fields that lists and watches are indexed by: `spec.nodeName`. */
  readonly indexedFields?: readonly string[];
  readonly clock?: Clock;
  readonly random?: Random;
  readonly newUid?: () => string;
  /** Whether DELETE of a whole collection is offered; true when absent. */
  readonly collectionDeletable?: boolean;
  /** Watches know no more of the past than the store does. */
  readonly uncached?: boolean;
  /** The cache to share, for another endpoint over the same objects. */
  readonly cache?: Cacher<KubeObject>;
  /** For a `kind` that isn't the stored one, where the way between them takes time. */
  readonly conversion?: StoredConversion | undefined;
}

/** The way between an endpoint's version and the stored one, which may lead through a webhook. */
export interface StoredConversion {
  /** The version that is written. */
  readonly storedKind: Kind;
  toStored(object: KubeObject): Promise<KubeObject>;
  /** The same value when it is in the endpoint's version already. */
  fromStored(stored: Served): Served | Promise<Served>;
}

type Cached = CachedObject<KubeObject>;

export class GenericStore implements RestStorage, Getter, Lister, Watcher, Creater, Updater, GracefulDeleter {
  readonly kind: Kind;
  readonly namespaced: boolean;
  readonly resource: GroupResource;
  readonly strategy: Strategy;
  readonly storagePrefix: string;
  readonly cache: Cacher<KubeObject>;
  readonly deleteCollection?: CollectionDeleter['deleteCollection'];
  readonly #options: GenericStoreOptions;
  readonly #keys: KeySpace;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #newUid: () => string;
  readonly #indexedFields: readonly string[];
  readonly #siblings = new WeakMap<Strategy, GenericStore>();

  constructor(options: GenericStoreOptions) {
    this.kind = options.kind;
    this.resource = options.resource;
    this.strategy = options.strategy;
    this.namespaced = options.strategy.namespaced;
    this.storagePrefix = options.prefix;
    this.#keys = { prefix: options.prefix, namespaced: this.namespaced };
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#newUid = options.newUid ?? (() => crypto.randomUUID());
    this.#indexedFields = options.indexedFields ?? [];
    this.#options = options;
    this.cache =
      options.cache ??
      new Cacher<KubeObject>({
        storage: options.storage,
        prefix: `${options.prefix}/`,
        codec: objectCodec(options.kind, options.otherVersions),
        readsPastFromStore: options.uncached ?? false,
        clock: this.#clock,
      });
    if (options.collectionDeletable !== false) this.deleteCollection = this.#deleteCollection.bind(this);
  }

  /** The same objects, written by the rules of another endpoint: `/status`, `/resize`. */
  withStrategy(strategy: Strategy): GenericStore {
    let store = this.#siblings.get(strategy);
    if (store === undefined) {
      store = new GenericStore({ ...this.#options, strategy, cache: this.cache });
      this.#siblings.set(strategy, store);
    }
    return store;
  }

  /** {@link update} by the rules of another endpoint. */
  updateWith(strategy: Strategy, ...args: Parameters<Updater['update']>): Promise<UpdateResult> {
    return this.withStrategy(strategy).update(...args);
  }

  get resetFields(): Strategy['resetFields'] {
    return this.strategy.resetFields;
  }

  get(request: ApiRequest, name: string, options: GetOptions): Served | Promise<Served> {
    const key = keyOf(this.#keys, request.namespace, name);
    const wanted = revisionOfWatch(options.resourceVersion);
    const found = runStep(request.observer, 'cache/get', () =>
      this.cache.get(key, wanted === 0 ? 'any' : wanted),
    );
    if (!(found instanceof Promise)) return this.#inVersion(this.#present(found, request, name));
    return found.then(
      (later) => this.#inVersion(this.#present(later, request, name)),
      (failure: unknown) => {
        throw interpretRead(failure, wanted);
      },
    );
  }

  list(request: ApiRequest, options: ListOptions): ServedList | Promise<ServedList> {
    const listed = runStep(request.observer, 'cache/list', () =>
      listCached(this.cache, this.#keys, request.namespace, options, this.#indexedFields),
    );
    if (this.#options.conversion !== undefined) return this.#listInVersion(listed);
    if (this.strategy.decorate === undefined) return listed;
    const decorated = (list: ServedList): ServedList => ({
      ...list,
      items: list.items.map((item) => this.#decoratedServed(item)),
    });
    return listed instanceof Promise ? listed.then(decorated) : decorated(listed);
  }

  async watch(request: ApiRequest, options: ListOptions): Promise<ServedWatch> {
    const { cache } = this;
    // Over a network a watch is other people's: a version that goes back, they have never met.
    const followsResets = request.incoming.structured;
    const watch = await watchCached(
      cache,
      this.#keys,
      request.namespace,
      options,
      this.#indexedFields,
      followsResets,
    );
    const { conversion } = this.#options;
    if (conversion !== undefined) return convertedWatch(watch, (served) => conversion.fromStored(served));
    if (this.strategy.decorate === undefined) return watch;
    return decoratedWatch(watch, (served) => this.#decoratedServed(served));
  }

  async create(
    request: ApiRequest,
    object: KubeObject,
    options: CreateOptions,
    validate: ValidateObject,
  ): Promise<Served> {
    const { generateName, name } = object.metadata;
    if (!generateName || name) return this.#create(request, object, options, validate);
    for (let attempt = 1; ; attempt++) {
      const last = attempt === generatedNameAttemptsMax;
      const named = last ? object : deepClone(object);
      named.metadata.name =
        this.strategy.generatedName?.(generateName) ?? generatedName(generateName, this.#random);
      try {
        return await this.#create(request, named, options, validate);
      } catch (failure) {
        if (!isStatusError(failure, 'AlreadyExists')) throw failure;
        if (last) throw generateNameConflict(this.#resourceOf(request), named.metadata.name, 1);
      }
    }
  }

  async #create(
    request: ApiRequest,
    object: KubeObject,
    options: CreateOptions,
    validate: ValidateObject,
  ): Promise<Served> {
    fillSystemFields(object, this.#clock.now(), this.#newUid());
    const finish = await this.strategy.beginCreate?.(object, request, options.dryRun);
    try {
      beforeCreate(this.kind, this.strategy, object, request);
      await validate(object);
      const name = object.metadata.name ?? '';
      const key = keyOf(this.#keys, request.namespace, name);
      const served = await this.#put(request, key, object, options, (current) => {
        if (current !== undefined) throw this.#taken(request, current);
      });
      await finish?.(true);
      return served;
    } catch (failure) {
      await finish?.(false);
      throw failure;
    }
  }

  /** Stores a new object. */
  async #put(
    request: ApiRequest,
    key: string,
    object: KubeObject,
    options: WriteOptions,
    check: (current: Cached | undefined) => void,
  ): Promise<Served> {
    if (options.dryRun) {
      check(await this.cache.get(key));
      return { object };
    }
    if (claimsRevision(object.metadata.resourceVersion)) throw resourceVersionOnCreate();
    const made = this.#putChange(request, object);
    const change = made instanceof Promise ? await made : made;
    const written = await runStep(request.observer, 'storage/update', () =>
      this.cache.update(
        key,
        (current) => {
          check(current);
          return change;
        },
        { observer: request.observer, expectsNone: true },
      ),
    );
    return this.#inVersion(this.#decorated(written!));
  }

  #putChange(request: ApiRequest, object: KubeObject): Change | Promise<Change> {
    // The version that a client sent is none of the new object; the cache fills in the real one.
    if (object.metadata.resourceVersion) object.metadata.resourceVersion = '';
    forgetEmptied(object);
    const sent = withoutSelfLink(object);
    const { conversion } = this.#options;
    if (conversion === undefined) return this.#storing(request, this.kind, sent);
    const { storedKind } = conversion;
    return conversion.toStored(sent).then((stored) => this.#storing(request, storedKind, stored));
  }

  #storing(request: ApiRequest, kind: Kind, stored: KubeObject): Change {
    const value = runStep(request.observer, 'encode', () =>
      storedValue(kind, stored, this.#options.storedForm),
    );
    const ttlSeconds = this.strategy.timeToLiveSeconds?.(stored);
    return {
      kind: 'put',
      value,
      decoded: stored,
      ...(ttlSeconds === undefined ? undefined : { ttlSeconds }),
    };
  }

  async update(
    request: ApiRequest,
    name: string,
    change: UpdatedObject,
    options: UpdateOptions,
    validation: UpdateValidation,
  ): Promise<UpdateResult> {
    const key = keyOf(this.#keys, request.namespace, name);
    let outcome = { kind: 'kept' } as Outcome;
    const decide = async (current: Cached | undefined): Promise<Change> => {
      // Somebody wrote in between: what the earlier try took is given back.
      await finishOf(outcome)?.(false);
      outcome = { kind: 'kept' };
      outcome =
        current === undefined
          ? await this.#createdByUpdate(request, name, change, options, validation)
          : await this.#updated(request, name, current, change, options, validation);
      return outcome.kind === 'kept' ? keep : outcome.change;
    };
    if (options.dryRun) {
      const current = await this.cache.get(key);
      await decide(current);
      const live = current && (await this.#inVersion(current));
      return { served: servedBy(outcome, live), created: outcome.kind === 'created' };
    }
    let written;
    try {
      written = await runStep(request.observer, 'storage/update', () =>
        this.cache.update(key, decide, { observer: request.observer }),
      );
    } catch (failure) {
      await finishOf(outcome)?.(false);
      throw failure;
    }
    await finishOf(outcome)?.(true);
    // An update that ended a deletion answers with the object as it was sent.
    if (outcome.kind === 'finished') {
      await this.strategy.afterDelete?.(outcome.object, request);
      return { served: { object: outcome.object }, created: false };
    }
    const served = await this.#inVersion(this.#decorated(written!));
    return { served, created: outcome.kind === 'created' };
  }

  async #createdByUpdate(
    request: ApiRequest,
    name: string,
    change: UpdatedObject,
    options: UpdateOptions,
    validation: UpdateValidation,
  ): Promise<Outcome> {
    const { strategy } = this;
    if (strategy.allowCreateOnUpdate !== true && !validation.forceAllowCreate)
      throw this.#missing(request, name);
    if (change.preconditions?.uid !== undefined) {
      throw this.#uidConflict(request, name, options, change.preconditions.uid, '');
    }
    const object = await change.updated(undefined);
    fillSystemFields(object, this.#clock.now(), this.#newUid());
    const finish = await strategy.beginCreate?.(object, request, options.dryRun);
    try {
      beforeCreate(this.kind, strategy, object, request);
      await validation.create(object);
      return { kind: 'created', object, finish, change: await this.#putChange(request, object) };
    } catch (failure) {
      await finish?.(false);
      throw failure;
    }
  }

  async #updated(
    request: ApiRequest,
    name: string,
    current: Cached,
    change: UpdatedObject,
    options: UpdateOptions,
    validation: UpdateValidation,
  ): Promise<Outcome> {
    const { strategy } = this;
    const live = this.#inVersion(current);
    const old = (live instanceof Promise ? await live : live).object;
    const { uid, resourceVersion } = change.preconditions ?? {};
    if (uid !== undefined && uid !== old.metadata.uid) {
      throw this.#uidConflict(request, name, options, uid, old.metadata.uid ?? '');
    }
    if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
      throw conflict(this.#resourceOf(request), name, optimisticLockReason);
    }
    const object = await change.updated(old);
    this.#checkVersion(request, name, object, old);
    const finish = await strategy.beginUpdate?.(object, old, request, options.dryRun);
    try {
      beforeUpdate(this.kind, strategy, object, old, request);
      keepUnchangedTimes(object, old);
      await validation.update(object, old);
      if (isFinished(object, old) && (strategy.shouldDeleteDuringUpdate?.(object, old) ?? true)) {
        return { kind: 'finished', object, finish, change: { kind: 'delete' } };
      }
      const changed = this.#putChange(request, object);
      const put = changed instanceof Promise ? await changed : changed;
      return this.#changed(object, put, current, finish);
    } catch (failure) {
      await finish?.(false);
      throw failure;
    }
  }

  /** A write that changes nothing is none: the object keeps its version. */
  #changed(object: KubeObject, change: Change, current: Cached, finish: FinishWrite | undefined): Outcome {
    const wasWritten = current.version > 1 || this.strategy.isReadOtherwise?.(current.object) !== true;
    if (wasWritten && change.kind === 'put' && isServedAs(this.#storedKind, change.value, current))
      return { kind: 'kept', finish };
    return { kind: 'updated', object, finish, change };
  }

  /** @throws StatusError 409, 422 */
  #checkVersion(request: ApiRequest, name: string, object: KubeObject, old: KubeObject): void {
    const version = revisionOfWrite(object.metadata.resourceVersion);
    if (version === 0) {
      if (this.strategy.allowUnconditionalUpdate !== false) {
        // Validation wants to see one: it is the newest that is overwritten.
        object.metadata.resourceVersion = old.metadata.resourceVersion ?? '';
        return;
      }
      const { group, resource } = this.#resourceOf(request);
      throw invalid({ group, kind: resource }, name, [
        invalidError('metadata.resourceVersion', 0, 'must be specified for an update'),
      ]);
    }
    if (String(version) !== old.metadata.resourceVersion) {
      throw conflict(this.#resourceOf(request), name, optimisticLockReason);
    }
  }

  async delete(
    request: ApiRequest,
    name: string,
    options: DeleteOptions,
    validate: ValidateObject,
  ): Promise<DeleteResult> {
    const key = keyOf(this.#keys, request.namespace, name);
    if (options.dryRun) return this.#deleteDry(request, name, key, options, validate);
    const marked = await this.#markDeletion(request, name, key, options, validate);
    if (marked !== undefined) return this.#deleted(request, await this.#inVersion(marked), false);
    let last: Cached | undefined;
    const deleted = await runStep(request.observer, 'storage/update', () =>
      this.cache.update(key, (current) => {
        last = current;
        return current === undefined ? keep : { kind: 'delete' };
      }),
    );
    const gone = deleted ?? last;
    if (gone === undefined) throw this.#missing(request, name);
    await this.strategy.afterDelete?.(gone.object, request);
    return this.#deleted(request, gone, true);
  }

  /**
   * Marks the object for its deletion where that takes time, and returns it; deletes it where it doesn't,
   * and returns undefined when it is left to the caller.
   */
  async #markDeletion(
    request: ApiRequest,
    name: string,
    key: string,
    options: DeleteOptions,
    validate: ValidateObject,
  ): Promise<Cached | undefined> {
    let isOver = false;
    let pending: Cached | undefined;
    const written = await this.cache.update(key, async (current) => {
      if (current === undefined) throw this.#missing(request, name);
      const { object } = await this.#inVersion(current);
      this.#warnOfDeletion(request, object, options);
      checkDeletionPreconditions(this.kind, object, options);
      await validate(object);
      const plan = planDeletion(this.strategy, object, options, request, this.#clock.now());
      isOver = plan.kind === 'delete' || plan.kind === 'mark, then delete';
      pending = current;
      if (plan.kind === 'pending' || plan.kind === 'delete') return keep;
      return this.#putChange(request, plan.object);
    });
    return isOver ? undefined : (written ?? pending);
  }

  #warnOfDeletion(request: ApiRequest, object: KubeObject, options: DeleteOptions): void {
    for (const text of this.strategy.warningsOnDelete?.(object, options, request) ?? []) request.warn(text);
  }

  async #deleteDry(
    request: ApiRequest,
    name: string,
    key: string,
    options: DeleteOptions,
    validate: ValidateObject,
  ): Promise<DeleteResult> {
    const found = await this.cache.get(key);
    if (found === undefined) throw this.#missing(request, name);
    const current = await this.#inVersion(found);
    this.#warnOfDeletion(request, current.object, options);
    checkDeletionPreconditions(this.kind, current.object, options);
    await validate(current.object);
    const plan = planDeletion(this.strategy, current.object, options, request, this.#clock.now());
    const served: Served = 'object' in plan ? { object: plan.object } : current;
    return this.#deleted(request, served, plan.kind === 'delete' || plan.kind === 'mark, then delete');
  }

  #deleted(request: ApiRequest, served: Served, immediate: boolean): DeleteResult {
    // What isn't gone yet is shown, so that the client sees what it waits for.
    if (this.strategy.returnDeletedObject === true || !immediate) {
      return { served: this.#decoratedServed(served), immediate, status: false };
    }
    const status = deletedStatus(this.#resourceOf(request), served.object);
    return { served: { object: status as unknown as KubeObject }, immediate, status: true };
  }

  async #deleteCollection(
    request: ApiRequest,
    options: DeleteOptions,
    listOptions: ListOptions,
    validate: ValidateObject,
  ): Promise<ServedList> {
    const listed = await this.list(request, listOptions);
    const items = listed.items.values();
    const inOrder = new OrderedValidation(validate);
    const work = async () => {
      for (const { object } of items) {
        const turn = inOrder.next();
        try {
          await this.delete(request, object.metadata.name ?? '', options, turn.validate);
        } catch (failure) {
          if (!isStatusError(failure, 'NotFound')) throw failure;
        } finally {
          turn.end();
        }
      }
    };
    await Promise.all(Array.from({ length: deleteCollectionWorkers }, work));
    return listed;
  }

  #present(found: Cached | undefined, request: ApiRequest, name: string): Served {
    if (found === undefined) throw this.#missing(request, name);
    return this.#decorated(found);
  }

  /** In the version of this endpoint. */
  #inVersion(stored: Served): Served | Promise<Served> {
    const { conversion } = this.#options;
    return conversion === undefined ? stored : conversion.fromStored(stored);
  }

  async #listInVersion(listed: ServedList | Promise<ServedList>): Promise<ServedList> {
    const list = await listed;
    const items = await Promise.all(list.items.map((item) => this.#inVersion(item)));
    return { ...list, items };
  }

  get #storedKind(): Kind {
    return this.#options.conversion?.storedKind ?? this.kind;
  }

  #decorated(found: Cached): Served {
    return this.strategy.decorate === undefined ? found : this.#decoratedServed(found);
  }

  #decoratedServed(served: Served): Served {
    const { decorate } = this.strategy;
    if (decorate === undefined) return served;
    const object = decorate(served.object);
    // The stored bytes go on as long as they tell the same.
    return object === served.object ? served : { object };
  }

  #taken(request: ApiRequest, current: Cached): StatusError {
    const { name = '', deletionTimestamp } = current.object.metadata;
    const error = alreadyExists(this.#resourceOf(request), name);
    if (deletionTimestamp) error.status.message = `object is being deleted: ${error.status.message}`;
    return error;
  }

  #missing(request: ApiRequest, name: string): StatusError {
    return notFound(this.#resourceOf(request), name);
  }

  #uidConflict(
    request: ApiRequest,
    name: string,
    { dryRun }: WriteOptions,
    given: string,
    stored: string,
  ): StatusError {
    const whole = keyOf(this.#keys, request.namespace, name);
    // What only tries does not get as far as to the common prefix.
    const key = dryRun ? whole.slice(whole.indexOf('/', 1)) : whole;
    return conflict(
      this.#resourceOf(request),
      name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
        `Precondition failed: UID in precondition: ${given}, UID in object meta: ${stored}`,
    );
  }

  /** As the request names the resource: other groups may share the store. */
  #resourceOf({ info }: ApiRequest): GroupResource {
    return info.resource === '' ? this.resource : { group: info.group, resource: info.resource };
  }
}

/** It is never stored; an update that only tries answers with what was sent. */
function withoutSelfLink(object: KubeObject): KubeObject {
  if (!object.metadata.selfLink) return object;
  const { selfLink: _selfLink, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Deletions of one collection that are under way at once; they share commits of the store. */
const deleteCollectionWorkers = 256;

const keep: Change = { kind: 'keep' };

type Outcome =
  | { readonly kind: 'kept'; readonly finish?: FinishWrite | undefined }
  | {
      readonly kind: 'created' | 'updated' | 'finished';
      readonly object: KubeObject;
      readonly finish: FinishWrite | undefined;
      readonly change: Change;
    };

const finishOf = (outcome: Outcome): FinishWrite | undefined => outcome.finish;

/** What a dry run answers: the object as it would be, still with the version that is stored. */
function servedBy(outcome: Outcome, current: Served | undefined): Served {
  if (outcome.kind === 'kept') return current!;
  const { object } = outcome;
  const { resourceVersion } = current?.object.metadata ?? {};
  return {
    object:
      resourceVersion === undefined
        ? object
        : { ...object, metadata: { ...object.metadata, resourceVersion } },
  };
}
