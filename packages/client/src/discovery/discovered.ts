/** What discovery found out about a resource. */

import type { GroupVersionResource } from '@coxswain/apimachinery';

/** A resource that is served. */
export interface ApiResource extends GroupVersionResource {
  readonly singular: string;
  readonly kind: string;
  /** Of its objects, where it is not the resource's own. */
  readonly kindGroup: string;
  readonly kindVersion: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly ApiSubresource[];
}

/** All that is served, and what could not be found out. */
export interface Discovered {
  /** In the server's order: groups by priority, in each the preferred version first. */
  readonly resources: readonly ApiResource[];
  /** Groups that could not be asked. */
  readonly failures: readonly { readonly groupVersion: string; readonly message: string }[];
}

/** A subresource: `status`, `scale`, `log`. */
export interface ApiSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** What is sent to it, and of which group and version that is, where the server says so. */
  readonly kind?: string;
  readonly kindGroup?: string;
  readonly kindVersion?: string;
}
