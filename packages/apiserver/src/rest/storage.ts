/**
 * What a resource can do. A resource's storage has the methods of the capabilities it offers, and the
 * installer fills the verb table by looking which are there. All objects are in the version of the
 * storage's own `kind`; handlers convert.
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
 * Admission's last word, called with the object as it would be stored. Throws a StatusError to refuse.
 * A deletion tells how many seconds of grace it grants, where it grants some.
 */
export type ValidateObject = (object: KubeObject, graceSeconds?: number) => Awaitable<void>;
export type ValidateUpdate = (object: KubeObject, old: KubeObject) => Awaitable<void>;

export interface Getter {
  /** @throws StatusError NotFound */
  get(request: ApiRequest, name: string, options: GetOptions): Awaitable<Served>;
}

export interface Lister {
  /** About how many objects there are, of all namespaces; absent where nobody knows. */
  readonly objectCount?: number;
  list(request: ApiRequest, options: ListOptions): Awaitable<ServedList>;
}

export interface Watcher {
  watch(request: ApiRequest, options: ListOptions): Awaitable<ServedWatch>;
}

export interface Creater {
  /** `object` is the request's own and may be modified; `name` is that of the path, for subresources. */
  create(
    request: ApiRequest,
    object: KubeObject,
    options: CreateOptions,
    validate: ValidateObject,
    name: string,
  ): Awaitable<Served>;
}

/** How the new object comes from the old one; asked again when somebody wrote in between. */
export interface UpdatedObject {
  readonly preconditions?: Preconditions | undefined;
  /** The result is the request's own and may be modified; `old` must not be. */
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
  /** An apply may create although the strategy doesn't let a PUT do it. */
  readonly forceAllowCreate: boolean;
}

export interface DeleteResult {
  /** The object as it was, or as it now waits for its end; or a Status. */
  readonly served: Served;
  /** False when the deletion goes on after the answer. */
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
  /** @throws StatusError 422 for what can be read */
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

/** A sub-path with a protocol of its own: exec, attach, portforward, proxy. */
export interface Connecter {
  readonly connectMethods: readonly string[];
  /** `path` is what follows the subresource. */
  connect(request: ApiRequest, name: string, path: string): Awaitable<ApiResponse>;
}

/** A GET which answers with something other than an object: `pods/log`. */
export interface Streamer {
  /** What the query may say, for those who read OpenAPI. */
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

/** The functions of a strategy that decide what comes of a write. */
export type WriteRules = Readonly<
  Partial<Record<'prepareForCreate' | 'prepareForUpdate' | 'validate' | 'validateUpdate', Work>>
>;

/** What the installer registers. */
export interface RestStorage extends Partial<Capabilities> {
  /** The kind whose version the methods speak. */
  readonly kind: Kind;
  readonly namespaced: boolean;
  /** A create through this subresource needs the name of its parent in the path. */
  readonly namedCreate?: boolean;
  /** Fields that writes through this endpoint don't own: `[['status']]`. */
  readonly resetFields?: readonly (readonly string[])[] | undefined;
  /** Columns; those of `kind` when absent. */
  readonly table?: TableSource;
  /** Whether a PATCH is offered beside a PUT; true when absent. */
  readonly patchable?: boolean;
  /** The path of its values in storage, for `routes`: `/registry/pods`. */
  readonly storagePrefix?: string;
  /** The rules that its writes obey, for `routes`. */
  readonly strategy?: WriteRules | undefined;
}
