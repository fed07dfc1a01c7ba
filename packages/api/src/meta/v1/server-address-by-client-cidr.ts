import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ServerAddressByClientCIDR = struct('meta/v1.ServerAddressByClientCIDR', {
  clientCIDR: always(1, string, { required: true }),
  serverAddress: always(2, string, { required: true }),
});
export interface ServerAddressByClientCIDR extends Static<typeof ServerAddressByClientCIDR> {}
