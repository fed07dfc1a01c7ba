/**
 * The vocabulary in which groups describe their resources. A description is a plain value; `install.ts` turns it into
 * stores, strategies and endpoints.
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
  /** Resources without a store: reviews, `bindings`, `componentstatuses`. */
  readonly virtual?: readonly VirtualResource[];
}

export interface Resource {
  /** In the stored version. */
  readonly kind: Kind;
  readonly prefix: string;
  /** The version that upstream stores, if it isn't that of `kind`; discovery's hash is computed from it. */
  readonly originalStorageVersion?: string;
  /** Removed upstream: served only if requested. */
  readonly legacy?: boolean;
  /** The required feature gate. */
  readonly gate?: string;
  /** Other versions over the same store; without a conversion only apiVersion differs. */
  readonly alsoAs: readonly OtherVersion[];
  readonly status?: StatusEndpoint;
  readonly generation: GenerationRule | undefined;
  readonly scale?: ScaleRule;
  /** Members in which fields of disabled features are dropped: `spec`. */
  readonly gatedMembers?: readonly string[];
  /** False if deletecollection isn't offered. */
  readonly collectionDeletable: boolean;
  readonly deprecation?: string;
  /** A warning for deletions that don't say what happens to dependents. */
  readonly deletionWarning?: string;
  /** Objects that cannot be deleted. */
  readonly undeletable?: { readonly names: readonly string[]; readonly reason: string };
  readonly strategy: Partial<Strategy<AnyObject>>;
  /** The part of the strategy that depends on the running server: clocks, allocators. */
  readonly serverStrategy?: (services: Services) => Partial<Strategy<AnyObject>>;
  /** Further endpoints below an object: `token`, `binding`, `log`. */
  readonly subresources?: (stores: Stores, services: Services) => Readonly<Record<string, ApiResource>>;
}

export interface OtherVersion {
  readonly kind: Kind;
  readonly conversion?: Conversion;
  /** Upstream has removed the kind from this version: served only if requested. */
  readonly legacy?: boolean;
  /** How this version's strategy differs from the stored version's. */
  readonly strategy?: (stored: Strategy<AnyObject>) => Partial<Strategy<AnyObject>>;
  /** Translates the errors of the stored version's validation to this version: other paths, fewer errors. */
  readonly errors?: (errors: readonly FieldError[], object: AnyObject) => readonly FieldError[];
  /** False if the status has no endpoint of its own. */
  readonly hasStatusEndpoint?: boolean;
  /** The version of `/scale`, if it isn't autoscaling/v1. */
  readonly scale?: OtherVersion;
  /** Further endpoints of this version only. */
  readonly subresources?: (stores: Stores, services: Services) => Readonly<Record<string, ApiResource>>;
}

/** How `/status` and the endpoint of the whole object are separated. */
export interface StatusEndpoint {
  /**
   * The metadata that a status write preserves. `all`: everything that a client may set (upstream's
   * ResetObjectMetaForStatus); a list: these members.
   */
  readonly keepsMetadata?: 'all' | readonly string[];
  /** Set if a create and an update of the whole object may set the status nevertheless. */
  readonly writableOutside?: 'on create';
  /** Which writes to `/status` create a missing object; none if unset. */
  readonly creates?: 'by update' | 'by apply';
  /** Paths that the endpoint never owns in server-side apply, if these aren't spec and the preserved metadata. */
  readonly resetFields?: readonly (readonly string[])[];
  readonly prepareForUpdate?: (object: AnyObject, old: AnyObject, request: ApiRequest) => void;
  /** The part of the strategy that depends on the running server. */
  readonly serverStrategy?: (services: Services) => Pick<Strategy<AnyObject>, 'authorize'>;
  /** Set if metadata default to parts of the spec: labels that the status came without are read back with the others. */
  readonly isDefaulted?: true;
  /** False if upstream offers no Table of the response. */
  readonly hasTable?: false;
}

/** When `metadata.generation` is incremented. */
export interface GenerationRule {
  /** Whether a new object has generation 1. */
  readonly onCreate: boolean;
  /** Members whose change increments it; `metadata.annotations` may be listed, too. */
  readonly on: readonly string[];
  /** `semantic` if unset. */
  readonly equality?: GoEquality;
  /** Set if fields of disabled features count, though they are dropped. */
  readonly countsDropped?: true;
}

export interface ScaleRule {
  /** The selector of the stored object as text. */
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
    status: status === true ? {} : status,
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
  };
};

const onSpec: GenerationRule = { onCreate: true, on: ['spec'] };

/** A version that is served by default. */
export const served = (version: string): GroupVersionSwitch => ({ version, byDefault: true });

/** A version that is served only on request. */
export const onRequest = (version: string): GroupVersionSwitch => ({ version, byDefault: false });

/** A version that upstream has removed completely. */
export const legacyVersion = (version: string): GroupVersionSwitch => ({
  version,
  byDefault: false,
  legacy: true,
});

/** A kind in a version from which upstream has removed it. */
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
  /** The endpoint of `/status`; its strategy preserves everything else. */
  readonly status: StoredResource | undefined;
  /** The same objects, written by another strategy. */
  withStrategy(strategy: Strategy<AnyObject>): StoredResource;
}

export interface Stores {
  /** @throws Error for a resource that this server doesn't have, which is a mistake in a group's description */
  of(group: string, resource: string): Store;
}
