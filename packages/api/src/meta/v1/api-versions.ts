import * as t from '@coxswain/schema';
import { ServerAddressByClientCIDR } from './server-address-by-client-cidr.ts';

export const APIVersions = t.kind('meta/v1.APIVersions', 'meta.k8s.io/v1', undefined, {
  versions: t.always(1, t.atomicList(t.string), { required: true }),
  serverAddressByClientCIDRs: t.always(2, t.atomicList(ServerAddressByClientCIDR), { required: true }),
});
export interface APIVersions extends t.Static<typeof APIVersions> {}
