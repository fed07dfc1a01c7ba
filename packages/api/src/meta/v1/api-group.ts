import { always, atomicList, kind, optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ServerAddressByClientCIDR } from './server-address-by-client-cidr.ts';

export const GroupVersionForDiscovery = struct('meta/v1.GroupVersionForDiscovery', {
  groupVersion: always(1, string, { required: true }),
  version: always(2, string, { required: true }),
});
export interface GroupVersionForDiscovery extends Static<typeof GroupVersionForDiscovery> {}

export const APIGroup = kind('meta/v1.APIGroup', 'meta.k8s.io/v1', undefined, {
  name: always(1, string, { required: true }),
  versions: always(2, atomicList(GroupVersionForDiscovery), { required: true }),
  preferredVersion: optional(3, GroupVersionForDiscovery),
  serverAddressByClientCIDRs: optional(4, atomicList(ServerAddressByClientCIDR)),
});
export interface APIGroup extends Static<typeof APIGroup> {}
