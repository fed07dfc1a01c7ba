import * as t from '@coxswain/schema';

export const IngressPortStatus = t.struct('networking/v1.IngressPortStatus', {
  port: t.always(1, t.int32, { required: true }),
  protocol: t.always(2, t.named('v1.Protocol', t.oneOf(['TCP', 'UDP', 'SCTP'])), { required: true }),
  error: t.pointer(3, t.string),
});
export interface IngressPortStatus extends t.Static<typeof IngressPortStatus> {}

export const IngressLoadBalancerIngress = t.struct('networking/v1.IngressLoadBalancerIngress', {
  ip: t.optional(1, t.string, { go: 'IP' }),
  hostname: t.optional(2, t.string),
  ports: t.optional(4, t.atomicList(IngressPortStatus)),
});
export interface IngressLoadBalancerIngress extends t.Static<typeof IngressLoadBalancerIngress> {}

export const IngressLoadBalancerStatus = t.struct('networking/v1.IngressLoadBalancerStatus', {
  ingress: t.optional(1, t.atomicList(IngressLoadBalancerIngress)),
});
export interface IngressLoadBalancerStatus extends t.Static<typeof IngressLoadBalancerStatus> {}

export const IngressStatus = t.struct('networking/v1.IngressStatus', {
  loadBalancer: t.optional(1, IngressLoadBalancerStatus),
});
export interface IngressStatus extends t.Static<typeof IngressStatus> {}
