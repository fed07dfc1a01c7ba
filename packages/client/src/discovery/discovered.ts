/** The results of discovery. */

import type { GroupVersionResource } from '@coxswain/apimachinery';

/** A resource that is served. */
export interface ApiResource extends GroupVersionResource {
  readonly singular: string;
  readonly kind: string;
  /** The group of its objects' kind, which may differ from the resource's own. */
  readonly kindGroup: string;
  readonly kindVersion: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly ApiSubresource[];
}

/** Everything that is served, and what could not be determined. */
export interface Discovered {
  /** In the server's order: groups by priority, in each the preferred version first. */
  readonly resources: readonly ApiResource[];
  /** Groups that could not be queried. */
  readonly failures: readonly { readonly groupVersion: string; readonly message: string }[];
}

/** A subresource: `status`, `scale`, `log`. */
export interface ApiSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind of its request body, with group and version, if the server specifies it. */
  readonly kind?: string;
  readonly kindGroup?: string;
  readonly kindVersion?: string;
}
