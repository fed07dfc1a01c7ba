import * as t from '@coxswain/schema';
import { ServerAddressByClientCIDR } from './server-address-by-client-cidr.ts';

export const GroupVersionForDiscovery = t.struct('meta/v1.GroupVersionForDiscovery', {
  groupVersion: t.always(1, t.string, { required: true }),
  version: t.always(2, t.string, { required: true }),
});
export interface GroupVersionForDiscovery extends t.Static<typeof GroupVersionForDiscovery> {}

export const APIGroup = t.kind('meta/v1.APIGroup', 'meta.k8s.io/v1', undefined, {
  name: t.always(1, t.string, { required: true }),
  versions: t.always(2, t.atomicList(GroupVersionForDiscovery), { required: true }),
  preferredVersion: t.optional(3, GroupVersionForDiscovery),
  serverAddressByClientCIDRs: t.optional(4, t.atomicList(ServerAddressByClientCIDR)),
});
export interface APIGroup extends t.Static<typeof APIGroup> {}
