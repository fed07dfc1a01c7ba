/** A stored resource as one endpoint sees it: the common part of its reads, creates, updates and deletes. */
import {
  here,
  alreadyExists,
  conflict,
  notFound,
  runStepInTurn,
  type Clock,
  type GroupResource,
  type KubeObject,
  type Random,
  type StatusError,
  type Work,
} from '@coxswain/apimachinery';
import { forgetEmptied, isProtobuf, type Kind } from '@coxswain/schema';
import type { Cacher } from '@coxswain/storage/cacher/cacher.ts';
import type { CachedObject } from '@coxswain/storage/cacher/cached-object.ts';
import type { Change } from '@coxswain/storage/storage.ts';
import type { ResourceForm } from '../api-group.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { WriteOptions } from '../rest/options.ts';
import type { Served } from '../rest/served.ts';
import type { Strategy } from '../strategy.ts';
import { recordedBytes, recordedObject } from '../recorded-values/recorded-object.ts';
import { keyOf, type KeySpace } from './keys.ts';
import { isSameDocument, isServedAs, storedValue, storedValueAs, type StoredForm } from './object-codec.ts';

/** The conversion between an endpoint's version and the stored one, possibly through a webhook. */
export interface StoredConversion {
  /** The version that is written. */
  readonly storedKind: Kind;
  /** Whether another program converts. */
  readonly isElsewhere: boolean;
  /** The function that converts, for recordings. */
  readonly work: Work;
  toStored(object: KubeObject, request?: ConvertedFor): Promise<KubeObject>;
  /** Returns the same value if it is already in the endpoint's version. */
  fromStored(stored: Served, request?: ConvertedFor): Served | Promise<Served>;
}

/** The request that needs a conversion; absent once its write is done, since it can't start again then. */
export type ConvertedFor = Pick<ApiRequest, 'owner' | 'allowance'>;

export type Cached = CachedObject<KubeObject>;

export const keep: Change = { kind: 'keep' };

export interface StoredResourceOptions {
  readonly resource: GroupResource;
  readonly kind: Kind;
  readonly strategy: Strategy;
  readonly cache: Cacher<KubeObject>;
  readonly keys: KeySpace;
  readonly clock: Clock;
  readonly random: Random;
  readonly newUid: () => string;
  readonly storedForm: StoredForm | undefined;
  readonly storedAs: ResourceForm | undefined;
  readonly conversion: StoredConversion | undefined;
}

export class StoredResource {
  readonly kind: Kind;
  readonly strategy: Strategy;
  readonly cache: Cacher<KubeObject>;
  readonly keys: KeySpace;
  readonly clock: Clock;
  readonly random: Random;
  readonly newUid: () => string;
  readonly storedForm: StoredForm | undefined;
  readonly storedAs: ResourceForm | undefined;
  readonly conversion: StoredConversion | undefined;
  readonly resource: GroupResource;

  constructor(options: StoredResourceOptions) {
    this.resource = options.resource;
    this.kind = options.kind;
    this.strategy = options.strategy;
    this.cache = options.cache;
    this.keys = options.keys;
    this.clock = options.clock;
    this.random = options.random;
    this.newUid = options.newUid;
    this.storedForm = options.storedForm;
    this.storedAs = options.storedAs;
    this.conversion = options.conversion;
  }

  putChange(request: ApiRequest, object: KubeObject): Change | Promise<Change> {
    // The client's resourceVersion does not apply to the new object; the cache fills in the real one.
    if (object.metadata.resourceVersion) object.metadata.resourceVersion = '';
    forgetEmptied(object);
    const sent = withoutSelfLink(object);
    const { conversion } = this;
    if (conversion === undefined) return this.#storing(request, this.kind, sent);
    const { storedKind } = conversion;
    const converted = runStepInTurn(
      request.observer,
      here`convert`,
      () => conversion.toStored(sent, request),
      { from: sent.apiVersion, to: storedKind.apiVersion },
      conversion.work,
    );
    return converted.then((stored) => this.#storing(request, storedKind, stored));
  }

  #storing(request: ApiRequest, kind: Kind, stored: KubeObject): Change {
    const value = runStepInTurn(request.observer, here`encode`, () => {
      const { storedAs, storedForm } = this;
      const bytes =
        storedAs === undefined
          ? storedValue(kind, stored, storedForm)
          : storedValueAs(storedAs, stored, storedForm);
      request.observer?.note?.({
        version: (storedAs?.kind ?? kind).apiVersion,
        ...recordedBytes(this.resource, bytes),
        ...(isProtobuf(bytes) && { format: 'protobuf', object: recordedObject(this.resource, stored) }),
      });
      return bytes;
    });
    const ttlSeconds = this.strategy.timeToLiveSeconds?.(stored);
    return {
      kind: 'put',
      value,
      decoded: stored,
      ...(ttlSeconds === undefined ? undefined : { ttlSeconds }),
    };
  }

  /**
   * Whether a value is what the store has. Objects of definitions are read by the current schema and in the current
   * storage version, so those may differ from what was written: writing them again, unchanged, migrates them.
   */
  isStoredAs(value: Uint8Array, current: Cached): boolean | Promise<boolean> {
    if (current.version === 1 && this.strategy.isReadOtherwise?.(current.object) === true) return false;
    if (!isServedAs(this.storedKind, this.storedAs, value, current)) return false;
    if (!this.storedKind.type.isCustom) return true;
    return this.cache
      .stored(current.key)
      .then((entry) => entry !== undefined && isSameDocument(entry.value, value));
  }

  /** Converts to this endpoint's version. */
  inVersion(stored: Served, request?: ConvertedFor): Served | Promise<Served> {
    const { conversion } = this;
    return conversion === undefined ? stored : conversion.fromStored(stored, request);
  }

  /** The object as it would be returned if it were stored. */
  tried(request: ApiRequest, object: KubeObject): Promise<Served> {
    const { conversion } = this;
    return runStepInTurn(request.observer, here`storage/dry-run`, async () =>
      conversion === undefined
        ? { object }
        : conversion.fromStored({ object: await conversion.toStored(object, request) }, request),
    );
  }

  get storedKind(): Kind {
    return this.conversion?.storedKind ?? this.kind;
  }

  decorated(found: Cached): Served {
    return this.strategy.decorate === undefined ? found : this.decoratedServed(found);
  }

  decoratedServed(served: Served): Served {
    const { decorate } = this.strategy;
    if (decorate === undefined) return served;
    const object = decorate(served.object);
    // The stored bytes remain usable while the object is the same.
    return object === served.object ? served : { object };
  }

  taken(request: ApiRequest, current: Cached): StatusError {
    const { name = '', deletionTimestamp } = current.object.metadata;
    const error = alreadyExists(this.resourceOf(request), name);
    if (deletionTimestamp) error.status.message = `object is being deleted: ${error.status.message}`;
    return error;
  }

  missing(request: ApiRequest, name: string): StatusError {
    return notFound(this.resourceOf(request), name);
  }

  uidConflict(
    request: ApiRequest,
    name: string,
    { dryRun }: WriteOptions,
    given: string,
    stored: string,
  ): StatusError {
    const whole = keyOf(this.keys, request.namespace, name);
    // A dry run's key in error messages lacks the common prefix, which only the store adds.
    const key = dryRun ? whole.slice(whole.indexOf('/', 1)) : whole;
    return conflict(
      this.resourceOf(request),
      name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
        `Precondition failed: UID in precondition: ${given}, UID in object meta: ${stored}`,
    );
  }

  /** The resource as the request names it, since other groups may share the store. */
  resourceOf({ info }: ApiRequest): GroupResource {
    return info.resource === '' ? this.resource : { group: info.group, resource: info.resource };
  }
}

/** selfLink is never stored; a dry-run update returns it as sent. */
function withoutSelfLink(object: KubeObject): KubeObject {
  if (!object.metadata.selfLink) return object;
  const { selfLink: _selfLink, ...metadata } = object.metadata;
  return { ...object, metadata };
}
