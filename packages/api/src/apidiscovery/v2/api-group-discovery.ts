import * as t from '@coxswain/schema';
import { GroupVersionKind } from '../../meta/v1/group-version-kind.ts';

export const APISubresourceDiscovery = t.struct('apidiscovery/v2.APISubresourceDiscovery', {
  subresource: t.always(1, t.string),
  responseKind: t.pointer(2, GroupVersionKind),
  acceptedTypes: t.optional(3, t.listMap(GroupVersionKind, ['group', 'version', 'kind'])),
  verbs: t.always(4, t.listSet(t.string)),
});
export interface APISubresourceDiscovery extends t.Static<typeof APISubresourceDiscovery> {}

export const APIResourceDiscovery = t.struct('apidiscovery/v2.APIResourceDiscovery', {
  resource: t.always(1, t.string),
  responseKind: t.pointer(2, GroupVersionKind),
  scope: t.always(3, t.named('v2.ResourceScope', t.string)),
  singularResource: t.always(4, t.string),
  verbs: t.always(5, t.listSet(t.string)),
  shortNames: t.optional(6, t.listSet(t.string)),
  categories: t.optional(7, t.listSet(t.string)),
  subresources: t.optional(8, t.listMap(APISubresourceDiscovery, ['subresource'])),
});
export interface APIResourceDiscovery extends t.Static<typeof APIResourceDiscovery> {}

export const APIVersionDiscovery = t.struct('apidiscovery/v2.APIVersionDiscovery', {
  version: t.always(1, t.string),
  resources: t.optional(2, t.listMap(APIResourceDiscovery, ['resource'])),
  freshness: t.optional(3, t.named('v2.DiscoveryFreshness', t.string)),
});
export interface APIVersionDiscovery extends t.Static<typeof APIVersionDiscovery> {}

export const APIGroupDiscovery = t.kind(
  'apidiscovery/v2.APIGroupDiscovery',
  'apidiscovery.k8s.io/v2',
  undefined,
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    versions: t.optional(2, t.listMap(APIVersionDiscovery, ['version'])),
  },
);
export interface APIGroupDiscovery extends t.Static<typeof APIGroupDiscovery> {}
