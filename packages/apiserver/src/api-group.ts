/** An API group is a value: its versions in order of preference, and for each what lies under which path. */
import type { GroupVersionKind, KubeObject } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import type { CustomDescription } from '@coxswain/schema/openapi.ts';
import type { NegotiationScope } from './negotiation/negotiate.ts';
import type { RestStorage } from './rest/storage.ts';

export interface ApiGroup {
  /** Empty for the core group, which is served under /api. */
  readonly name: string;
  /** Preferred version first. */
  readonly versions: readonly ApiVersion[];
}

export interface ApiVersion {
  readonly version: string;
  /** `deployments`, `deployments/status`, `deployments/scale` → what serves it. */
  readonly resources: Readonly<Record<string, ApiResource>>;
  /** Another server serves it: what that one tells of its resources. */
  readonly elsewhere?: ElsewhereVersion;
}

export interface ElsewhereVersion {
  /** As in aggregated discovery. */
  readonly resources?: readonly object[];
  /** Whether the other server could be asked the last time. */
  readonly freshness: 'Current' | 'Stale';
}

export interface ApiResource {
  readonly storage: RestStorage;
  /** The kind in this version, when it differs from the storage's own. */
  readonly kind?: Kind;
  /** How objects get from one to the other; without it only apiVersion is exchanged. */
  readonly conversion?: Conversion;
  /** For custom resources: the way into the kind of another version, which may lead through a webhook. */
  readonly convertTo?: (object: KubeObject, kind: Kind) => KubeObject | Promise<KubeObject>;
  /**
   * For custom resources that a webhook converts: an object as the webhook makes it, with all it says.
   * @throws StatusError 500
   */
  readonly convertElsewhere?: (object: KubeObject, apiVersion: string) => Promise<KubeObject>;
  /**
   * All versions in which the resource's fields may have been written, of whatever group, the storage's own
   * included. Absent: what the group has of it.
   */
  readonly versions?: readonly ResourceForm[];
  /** Of discovery: empty for resources without. */
  readonly singularName?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** base64 of the first 8 bytes of SHA-256 of `group/version/kind` in the stored version. */
  readonly storageVersionHash?: string;
  /** The bodies' kind where it is not the answers': the Eviction of `pods/eviction`, DeleteOptions, … */
  readonly bodyKinds?: readonly Kind[];
  /** Whether items of lists say their kind; those of custom resources do. */
  readonly itemsHaveKind?: boolean;
  /** A warning to every use of it: `v1 Endpoints is deprecated in v1.33+; use …`. */
  readonly deprecation?: string;
  /** As discovery tells them, where these aren't the storage's in the usual order. */
  readonly verbs?: readonly string[];
  /** As discovery tells it, where it isn't the group version of the path: `autoscaling/v1 Scale`. */
  readonly discoveryKind?: GroupVersionKind;
  /** Media types, where they aren't the usual ones: custom resources have no protobuf. */
  readonly negotiation?: NegotiationScope;
  /** For custom resources: what OpenAPI tells of them. */
  readonly custom?: CustomDescription;
  /** Whether applies and updates keep managedFields; true when absent. */
  readonly managedFields?: boolean;
}

/** A resource's kind in one version, and the way to the stored one. */
export interface ResourceForm {
  readonly kind: Kind;
  readonly conversion?: Conversion;
  /** Whether the cache keeps what is stored in this form as it is: who reads it converts it. */
  readonly isKept?: boolean;
}

/** Both ways make a new object and leave the given one as it is. */
export interface Conversion {
  toStorage(object: KubeObject): KubeObject;
  fromStorage(object: KubeObject): KubeObject;
}
