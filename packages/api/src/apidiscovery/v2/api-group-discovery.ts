import {
  always,
  kind,
  listMap,
  listSet,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { GroupVersionKind } from '../../meta/v1/group-version-kind.ts';

export const APISubresourceDiscovery = struct('apidiscovery/v2.APISubresourceDiscovery', {
  subresource: always(1, string),
  responseKind: pointer(2, GroupVersionKind),
  acceptedTypes: optional(3, listMap(GroupVersionKind, ['group', 'version', 'kind'])),
  verbs: always(4, listSet(string)),
});
export interface APISubresourceDiscovery extends Static<typeof APISubresourceDiscovery> {}

export const APIResourceDiscovery = struct('apidiscovery/v2.APIResourceDiscovery', {
  resource: always(1, string),
  responseKind: pointer(2, GroupVersionKind),
  scope: always(3, named('v2.ResourceScope', string)),
  singularResource: always(4, string),
  verbs: always(5, listSet(string)),
  shortNames: optional(6, listSet(string)),
  categories: optional(7, listSet(string)),
  subresources: optional(8, listMap(APISubresourceDiscovery, ['subresource'])),
});
export interface APIResourceDiscovery extends Static<typeof APIResourceDiscovery> {}

export const APIVersionDiscovery = struct('apidiscovery/v2.APIVersionDiscovery', {
  version: always(1, string),
  resources: optional(2, listMap(APIResourceDiscovery, ['resource'])),
  freshness: optional(3, named('v2.DiscoveryFreshness', string)),
});
export interface APIVersionDiscovery extends Static<typeof APIVersionDiscovery> {}

export const APIGroupDiscovery = kind(
  'apidiscovery/v2.APIGroupDiscovery',
  'apidiscovery.k8s.io/v2',
  undefined,
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    versions: optional(2, listMap(APIVersionDiscovery, ['version'])),
  },
);
export interface APIGroupDiscovery extends Static<typeof APIGroupDiscovery> {}
