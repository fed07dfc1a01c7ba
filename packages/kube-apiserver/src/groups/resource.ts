/**
 * The language in which groups describe their resources. A description is a plain value; `install.ts` turns
 * it into stores, strategies and endpoints.
 */
import type { GroupVersionSwitch } from '../runtime-config.ts';
import type { FieldError } from '@coxswain/apimachinery';
import type {
  ApiRequest,
  ApiResource,
  CollectionDeleter,
  Conversion,
  Creater,
  Getter,
  GracefulDeleter,
  Lister,
  RestStorage,
  Strategy,
  Updater,
  Watcher,
} from '@coxswain/apiserver';
import type { GoEquality, Kind } from '@coxswain/schema';
import type { Services } from './services.ts';
import type { AnyObject } from './any-object.ts';

export interface Group {
  /** Empty for the core group. */
  readonly name: string;
  /** In order of preference. */
  readonly versions: readonly GroupVersionSwitch[];
  readonly resources: readonly Resource[];
  /** Resources without a store of their own: reviews, `bindings`, `componentstatuses`. */
  readonly virtual?: readonly VirtualResource[];
}

export interface Resource {
  /** In the version that is stored. */
  readonly kind: Kind;
  readonly prefix: string;
  /** The version that the original stores, where it isn't that of `kind`; discovery's hash is made of it. */
  readonly originalStorageVersion?: string;
  /** The original has it no more: served only when asked for. */
  readonly legacy?: boolean;
  /** The feature gate that has to be on. */
  readonly gate?: string;
  /** Other versions over the same store; without a conversion only the apiVersion differs. */
  readonly alsoAs: readonly OtherVersion[];
  readonly status?: StatusEndpoint;
  readonly generation: GenerationRule | undefined;
  readonly scale?: ScaleRule;
  /** Members in which fields of features that are switched off are dropped: `spec`. */
  readonly gatedMembers?: readonly string[];
  /** False where DELETE of the whole collection isn't offered. */
  readonly collectionDeletable: boolean;
  readonly deprecation?: string;
  /** Said to whoever deletes without choosing what becomes of the dependents. */
  readonly deletionWarning?: string;
  /** Objects that have to stay. */
  readonly undeletable?: { readonly names: readonly string[]; readonly reason: string };
  readonly strategy: Partial<Strategy<AnyObject>>;
  /** What of the strategy depends on the running server: clocks, allocators. */
  readonly serverStrategy?: (services: Services) => Partial<Strategy<AnyObject>>;
  /** Further endpoints below an object: `token`, `binding`, `log`. */
  readonly subresources?: (stores: Stores, services: Services) => Readonly<Record<string, ApiResource>>;
}

export interface OtherVersion {
  readonly kind: Kind;
  readonly conversion?: Conversion;
  /** The original has the kind in this version no more: served only when asked for. */
  readonly legacy?: boolean;
  /** What this version's endpoint does otherwise, given what the stored version's does. */
  readonly strategy?: (stored: Strategy<AnyObject>) => Partial<Strategy<AnyObject>>;
  /** What the rules of the stored version found, as this version tells it: other paths, fewer errors. */
  readonly errors?: (errors: readonly FieldError[], object: AnyObject) => readonly FieldError[];
  /** False where the status has no endpoint of its own. */
  readonly hasStatusEndpoint?: boolean;
  /** What `/scale` speaks here, where it isn't autoscaling/v1. */
  readonly scale?: OtherVersion;
  /** Further endpoints that only this version has. */
  readonly subresources?: (stores: Stores, services: Services) => Readonly<Record<string, ApiResource>>;
}

/** How `/status` and the endpoint of the whole object keep apart. */
export interface StatusEndpoint {
  /**
   * What of the metadata a status write keeps as it was. `all`: everything that a client may set (the
   * original's ResetObjectMetaForStatus); a list: these members.
   */
  readonly keepsMetadata?: 'all' | readonly string[];
  /** Whether a create and an update of the whole object may set the status after all. */
  readonly writableOutside?: 'on create';
  /** Which writes to `/status` create an object that is missing; none when absent. */
  readonly creates?: 'by update' | 'by apply';
  /** Paths that the endpoint doesn't own in server-side apply, where these aren't spec and kept metadata. */
  readonly resetFields?: readonly (readonly string[])[];
  readonly prepareForUpdate?: (object: AnyObject, old: AnyObject, request: ApiRequest) => void;
  /** False where the original shows no Table of what it answers here. */
  readonly hasTable?: false;
}

/** When `metadata.generation` grows. */
export interface GenerationRule {
  /** Whether a new object has generation 1. */
  readonly onCreate: boolean;
  /** Members whose change makes it grow; `metadata.annotations` counts as one, too. */
  readonly on: readonly string[];
  /** `semantic` when absent. */
  readonly equality?: GoEquality;
}

export interface ScaleRule {
  /** The selector as text, from the stored object. */
  readonly selector: (object: AnyObject) => string;
  readonly replicasDefault?: number;
}

export interface VirtualResource {
  readonly name: string;
  readonly versions: readonly string[];
  readonly legacy?: boolean;
  readonly resource: (stores: Stores, services: Services) => ApiResource;
}

type ResourceOptions = Partial<Omit<Resource, 'kind' | 'strategy' | 'generation' | 'status'>> &
  Partial<Strategy<AnyObject>> & {
    readonly status?: true | StatusEndpoint;
    readonly generation?: 'spec' | GenerationRule;
  };

export const resource = (kind: Kind, options: ResourceOptions = {}): Resource => {
  const {
    prefix = kind.names!.plural,
    alsoAs = [],
    collectionDeletable = true,
    status,
    generation,
    originalStorageVersion,
    legacy: isLegacy,
    gate,
    scale,
    gatedMembers,
    deprecation,
    deletionWarning,
    undeletable,
    serverStrategy,
    subresources,
    ...strategy
  } = options;
  return {
    kind,
    prefix,
    alsoAs,
    collectionDeletable,
    generation: generation === 'spec' ? onSpec : generation,
    strategy: { ...strategy, namespaced: kind.names!.namespaced },
    ...(status === undefined ? {} : { status: status === true ? {} : status }),
    ...(originalStorageVersion === undefined ? {} : { originalStorageVersion }),
    ...(isLegacy === undefined ? {} : { legacy: isLegacy }),
    ...(gate === undefined ? {} : { gate }),
    ...(scale === undefined ? {} : { scale }),
    ...(gatedMembers === undefined ? {} : { gatedMembers }),
    ...(deprecation === undefined ? {} : { deprecation }),
    ...(deletionWarning === undefined ? {} : { deletionWarning }),
    ...(undeletable === undefined ? {} : { undeletable }),
    ...(serverStrategy === undefined ? {} : { serverStrategy }),
    ...(subresources === undefined ? {} : { subresources }),
  };
};

const onSpec: GenerationRule = { onCreate: true, on: ['spec'] };

/** A version that is served unless it is switched off. */
export const served = (version: string): GroupVersionSwitch => ({ version, byDefault: true });

/** A version that has to be asked for. */
export const onRequest = (version: string): GroupVersionSwitch => ({ version, byDefault: false });

/** A version of which the original has nothing any more. */
export const legacyVersion = (version: string): GroupVersionSwitch => ({
  version,
  byDefault: false,
  legacy: true,
});

/** A kind in a version that the original no longer serves it in. */
export const legacy = (kind: Kind, options: Omit<OtherVersion, 'kind' | 'legacy'> = {}): OtherVersion => ({
  ...options,
  kind,
  legacy: true,
});

export type StoredResource = RestStorage &
  Getter &
  Lister &
  Watcher &
  Creater &
  Updater &
  GracefulDeleter &
  CollectionDeleter;

export interface Store {
  readonly resource: Resource;
  /** The endpoint of the whole object. */
  readonly main: StoredResource;
  /** The endpoint of `/status`; its strategy keeps everything else. */
  readonly status: StoredResource | undefined;
  /** The same objects, written by another strategy. */
  withStrategy(strategy: Strategy<AnyObject>): StoredResource;
}

export interface Stores {
  /** @throws Error for a resource that this server doesn't have: a mistake in a group's description */
  of(group: string, resource: string): Store;
}
