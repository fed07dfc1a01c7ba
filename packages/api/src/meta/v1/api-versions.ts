import { always, atomicList, kind, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ServerAddressByClientCIDR } from './server-address-by-client-cidr.ts';

export const APIVersions = kind('meta/v1.APIVersions', 'meta.k8s.io/v1', undefined, {
  versions: always(1, atomicList(string), { required: true }),
  serverAddressByClientCIDRs: always(2, atomicList(ServerAddressByClientCIDR), { required: true }),
});
export interface APIVersions extends Static<typeof APIVersions> {}
