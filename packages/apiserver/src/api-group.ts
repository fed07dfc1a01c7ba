/** An API group as a value: its versions in order of preference, and the resources that each version serves by path. */
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
  /** Resources by path: `deployments`, `deployments/status`, `deployments/scale`. */
  readonly resources: Readonly<Record<string, ApiResource>>;
  /** Set when another server serves this version: what that server reports about its resources. */
  readonly elsewhere?: ElsewhereVersion;
}

export interface ElsewhereVersion {
  /** As in aggregated discovery. */
  readonly resources?: readonly object[];
  /** `Current` if the other server answered the last discovery request. */
  readonly freshness: 'Current' | 'Stale';
}

export interface ApiResource {
  readonly storage: RestStorage;
  /** The kind in this version, when it differs from the storage's own. */
  readonly kind?: Kind;
  /** Converts between the stored version and this one; without it only apiVersion is replaced. */
  readonly conversion?: Conversion;
  /** For custom resources: converts to the kind of another version, possibly through a webhook. */
  readonly convertTo?: (object: KubeObject, kind: Kind) => KubeObject | Promise<KubeObject>;
  /**
   * For custom resources that a webhook converts: returns the object exactly as the webhook converted it, metadata
   * included.
   * @throws StatusError 500
   */
  readonly convertElsewhere?: (object: KubeObject, apiVersion: string) => Promise<KubeObject>;
  /**
   * All versions, of any group, in which the resource's fields may have been written, including the stored version.
   * If unset: the versions that the group has of it.
   */
  readonly versions?: readonly ResourceForm[];
  /** The singular name in discovery; empty for resources without one. */
  readonly singularName?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** base64 of the first 8 bytes of SHA-256 of `group/version/kind` in the stored version. */
  readonly storageVersionHash?: string;
  /**
   * Kinds of request bodies that differ from the kind of responses: the Eviction of `pods/eviction`, DeleteOptions, …
   */
  readonly bodyKinds?: readonly Kind[];
  /** Whether items of lists carry their kind, as those of custom resources do. */
  readonly itemsHaveKind?: boolean;
  /** The warning sent on every use: `v1 Endpoints is deprecated in v1.33+; use …`. */
  readonly deprecation?: string;
  /** Verbs as discovery reports them, when they differ from the storage's verbs in the usual order. */
  readonly verbs?: readonly string[];
  /** The kind as discovery reports it, when it is not in the group version of the path: `autoscaling/v1 Scale`. */
  readonly discoveryKind?: GroupVersionKind;
  /** Accepted media types, when they differ from the usual ones: custom resources have no protobuf. */
  readonly negotiation?: NegotiationScope;
  /** For custom resources: the OpenAPI description. */
  readonly custom?: CustomDescription;
  /** Whether applies and updates maintain managedFields; true if unset. */
  readonly managedFields?: boolean;
}

/** A resource's kind in one version, and its conversion to and from the stored version. */
export interface ResourceForm {
  readonly kind: Kind;
  readonly conversion?: Conversion;
  /** Whether the cache keeps objects that are stored in this form unconverted; readers convert them. */
  readonly isKept?: boolean;
}

/** Conversion in both directions; each returns a new object and leaves its argument unchanged. */
export interface Conversion {
  toStorage(object: KubeObject): KubeObject;
  fromStorage(object: KubeObject): KubeObject;
}
