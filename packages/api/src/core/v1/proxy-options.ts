import * as t from '@coxswain/schema';

export const NodeProxyOptions = t.kind('core/v1.NodeProxyOptions', 'v1', undefined, {
  path: t.optional(1, t.string),
});
export interface NodeProxyOptions extends t.Static<typeof NodeProxyOptions> {}

export const ServiceProxyOptions = t.kind('core/v1.ServiceProxyOptions', 'v1', undefined, {
  path: t.optional(1, t.string),
});
export interface ServiceProxyOptions extends t.Static<typeof ServiceProxyOptions> {}
