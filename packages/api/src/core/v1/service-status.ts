import * as t from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';

export const PortStatus = t.struct('core/v1.PortStatus', {
  port: t.always(1, t.int32, { required: true }),
  protocol: t.always(2, t.named('v1.Protocol', t.oneOf(['TCP', 'UDP', 'SCTP'])), { required: true }),
  error: t.pointer(3, t.string),
});
export interface PortStatus extends t.Static<typeof PortStatus> {}

export const LoadBalancerIngress = t.struct('core/v1.LoadBalancerIngress', {
  ip: t.optional(1, t.string, { go: 'IP' }),
  hostname: t.optional(2, t.string),
  ipMode: t.pointer(3, t.named('v1.LoadBalancerIPMode', t.string), { go: 'IPMode' }),
  ports: t.optional(4, t.atomicList(PortStatus)),
});
export interface LoadBalancerIngress extends t.Static<typeof LoadBalancerIngress> {}

export const LoadBalancerStatus = t.struct('core/v1.LoadBalancerStatus', {
  ingress: t.optional(1, t.atomicList(LoadBalancerIngress)),
});
export interface LoadBalancerStatus extends t.Static<typeof LoadBalancerStatus> {}

export const ServiceStatus = t.struct('core/v1.ServiceStatus', {
  loadBalancer: t.optional(1, LoadBalancerStatus),
  conditions: t.optional(2, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ServiceStatus extends t.Static<typeof ServiceStatus> {}
