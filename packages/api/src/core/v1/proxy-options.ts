import { kind, optional, string } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const NodeProxyOptions = kind('core/v1.NodeProxyOptions', 'v1', undefined, {
  path: optional(1, string),
});
export interface NodeProxyOptions extends Static<typeof NodeProxyOptions> {}

export const ServiceProxyOptions = kind('core/v1.ServiceProxyOptions', 'v1', undefined, {
  path: optional(1, string),
});
export interface ServiceProxyOptions extends Static<typeof ServiceProxyOptions> {}
