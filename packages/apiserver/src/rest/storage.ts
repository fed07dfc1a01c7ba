/**
 * The capabilities of resources. A resource's storage implements the methods of its capabilities, and the installer
 * derives the verbs from the methods that exist. All objects are in the version of the storage's own `kind`; handlers
 * convert.
 */
import type { KubeObject, Work } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import type {
  CreateOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  Preconditions,
  UpdateOptions,
} from './options.ts';
import type { Served, ServedList, ServedWatch } from './served.ts';
import type { TableSource } from './table.ts';

export type Awaitable<T> = T | Promise<T>;

/**
 * Validating admission, called with the object as it would be stored. Throws a StatusError to refuse. A deletion passes
 * its grace period in seconds, if it has one.
 */
export type ValidateObject = (object: KubeObject, graceSeconds?: number) => Awaitable<void>;
export type ValidateUpdate = (object: KubeObject, old: KubeObject) => Awaitable<void>;

export interface Getter {
  /** @throws StatusError NotFound */
  get(request: ApiRequest, name: string, options: GetOptions): Awaitable<Served>;
}

export interface Lister {
  /** The approximate number of objects in all namespaces; absent if unknown. */
  readonly objectCount?: number;
  list(request: ApiRequest, options: ListOptions): Awaitable<ServedList>;
}

export interface Watcher {
  watch(request: ApiRequest, options: ListOptions): Awaitable<ServedWatch>;
}

export interface Creater {
  /** `object` belongs to the request and may be modified; `name` is that of the path, for subresources. */
  create(
    request: ApiRequest,
    object: KubeObject,
    options: CreateOptions,
    validate: ValidateObject,
    name: string,
  ): Awaitable<Served>;
}

/** Computes the new object from the old one; called again when another write came in between. */
export interface UpdatedObject {
  readonly preconditions?: Preconditions | undefined;
  /** The result belongs to the request and may be modified; `old` must not be. */
  updated(old: KubeObject | undefined): Awaitable<KubeObject>;
}

export interface UpdateResult {
  readonly served: Served;
  readonly created: boolean;
}

export interface Updater {
  update(
    request: ApiRequest,
    name: string,
    change: UpdatedObject,
    options: UpdateOptions,
    validation: UpdateValidation,
  ): Awaitable<UpdateResult>;
}

export interface UpdateValidation {
  readonly create: ValidateObject;
  readonly update: ValidateUpdate;
  /** An apply may create objects even if the strategy doesn't allow it for a PUT. */
  readonly forceAllowCreate: boolean;
}

export interface DeleteResult {
  /** The object as it was or as it now awaits its removal, or a Status. */
  readonly served: Served;
  /** False when the deletion continues after the response. */
  readonly immediate: boolean;
  /** Whether `served` is a Status. */
  readonly status: boolean;
}

export interface GracefulDeleter {
  delete(
    request: ApiRequest,
    name: string,
    options: DeleteOptions,
    validate: ValidateObject,
  ): Awaitable<DeleteResult>;
}

export interface UnreadableDeleter {
  /** @throws StatusError 422 for an object that can be read */
  deleteUnreadable(request: ApiRequest, name: string): Promise<void>;
}

export interface CollectionDeleter {
  deleteCollection(
    request: ApiRequest,
    options: DeleteOptions,
    listOptions: ListOptions,
    validate: ValidateObject,
  ): Awaitable<ServedList>;
}

/** A subresource with a protocol of its own: exec, attach, portforward, proxy. */
export interface Connecter {
  readonly connectMethods: readonly string[];
  /** `path` is the rest of the path after the subresource. */
  connect(request: ApiRequest, name: string, path: string): Awaitable<ApiResponse>;
}

/** A GET that returns something other than an object: `pods/log`. */
export interface Streamer {
  /** The query parameters, for OpenAPI. */
  readonly streamOptions?: Kind;
  stream(request: ApiRequest, name: string): Awaitable<ApiResponse>;
}

export type Capabilities = Getter &
  Lister &
  Watcher &
  Creater &
  Updater &
  GracefulDeleter &
  UnreadableDeleter &
  CollectionDeleter &
  Connecter &
  Streamer;

/** The functions of a strategy that determine the result of a write. */
export type WriteRules = Readonly<
  Partial<
    Record<
      'beginCreate' | 'beginUpdate' | 'prepareForCreate' | 'prepareForUpdate' | 'validate' | 'validateUpdate',
      Work
    >
  >
>;

/** The storage of a resource, as the installer registers it. */
export interface RestStorage extends Partial<Capabilities> {
  /** The kind whose version the methods use. */
  readonly kind: Kind;
  readonly namespaced: boolean;
  /** Whether a create through this subresource requires its parent's name in the path. */
  readonly namedCreate?: boolean;
  /** Fields that writes through this endpoint never own: `[['status']]`. */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /** The table's columns; those of `kind` if unset. */
  readonly table?: TableSource;
  /** Whether another program converts its objects, at unknown cost. */
  readonly isConvertedElsewhere?: boolean | undefined;
  /** Whether PATCH is offered in addition to PUT; true if unset. */
  readonly patchable?: boolean;
  /** The prefix of its keys in storage, for `routes`: `/registry/pods`. */
  readonly storagePrefix?: string;
  /** The rules that its writes follow, for `routes`. */
  readonly strategy?: WriteRules | undefined;
}
