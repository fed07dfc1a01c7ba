import * as t from '@coxswain/schema';

export const ServerAddressByClientCIDR = t.struct('meta/v1.ServerAddressByClientCIDR', {
  clientCIDR: t.always(1, t.string, { required: true }),
  serverAddress: t.always(2, t.string, { required: true }),
});
export interface ServerAddressByClientCIDR extends t.Static<typeof ServerAddressByClientCIDR> {}
