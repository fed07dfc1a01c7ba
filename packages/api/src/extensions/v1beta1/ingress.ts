import * as t from '@coxswain/schema';
import { TypedLocalObjectReference } from '../../core/v1/typed-local-object-reference.ts';

export const IngressBackend = t.struct('extensions/v1beta1.IngressBackend', {
  serviceName: t.optional(1, t.string),
  servicePort: t.optional(2, t.intOrString),
  resource: t.pointer(3, TypedLocalObjectReference),
});
export interface IngressBackend extends t.Static<typeof IngressBackend> {}

export const HTTPIngressPath = t.struct('extensions/v1beta1.HTTPIngressPath', {
  path: t.optional(1, t.string),
  pathType: t.pointer(3, t.named('v1beta1.PathType', t.string), { default: 'ImplementationSpecific' }),
  backend: t.always(2, IngressBackend),
});
export interface HTTPIngressPath extends t.Static<typeof HTTPIngressPath> {}

export const HTTPIngressRuleValue = t.struct('extensions/v1beta1.HTTPIngressRuleValue', {
  paths: t.always(1, t.atomicList(HTTPIngressPath)),
});
export interface HTTPIngressRuleValue extends t.Static<typeof HTTPIngressRuleValue> {}

export const IngressTLS = t.struct('extensions/v1beta1.IngressTLS', {
  hosts: t.optional(1, t.atomicList(t.string)),
  secretName: t.optional(2, t.string),
});
export interface IngressTLS extends t.Static<typeof IngressTLS> {}

export const IngressRuleValue = t.struct('extensions/v1beta1.IngressRuleValue', {
  http: t.pointer(1, HTTPIngressRuleValue, { go: 'HTTP' }),
});
export interface IngressRuleValue extends t.Static<typeof IngressRuleValue> {}

export const IngressRule = t.struct('extensions/v1beta1.IngressRule', {
  host: t.optional(1, t.string),
  ingressRuleValue: t.embedded(2, IngressRuleValue),
});
export interface IngressRule extends t.Static<typeof IngressRule> {}

export const IngressSpec = t.struct('extensions/v1beta1.IngressSpec', {
  ingressClassName: t.pointer(4, t.string),
  backend: t.pointer(1, IngressBackend),
  tls: t.optional(2, t.atomicList(IngressTLS), { go: 'TLS' }),
  rules: t.optional(3, t.atomicList(IngressRule)),
});
export interface IngressSpec extends t.Static<typeof IngressSpec> {}

export const IngressPortStatus = t.struct('extensions/v1beta1.IngressPortStatus', {
  port: t.always(1, t.int32),
  protocol: t.always(2, t.named('v1.Protocol', t.string)),
  error: t.pointer(3, t.string),
});
export interface IngressPortStatus extends t.Static<typeof IngressPortStatus> {}

export const IngressLoadBalancerIngress = t.struct('extensions/v1beta1.IngressLoadBalancerIngress', {
  ip: t.optional(1, t.string, { go: 'IP' }),
  hostname: t.optional(2, t.string),
  ports: t.optional(4, t.atomicList(IngressPortStatus)),
});
export interface IngressLoadBalancerIngress extends t.Static<typeof IngressLoadBalancerIngress> {}

export const IngressLoadBalancerStatus = t.struct('extensions/v1beta1.IngressLoadBalancerStatus', {
  ingress: t.optional(1, t.atomicList(IngressLoadBalancerIngress)),
});
export interface IngressLoadBalancerStatus extends t.Static<typeof IngressLoadBalancerStatus> {}

export const IngressStatus = t.struct('extensions/v1beta1.IngressStatus', {
  loadBalancer: t.optional(1, IngressLoadBalancerStatus),
});
export interface IngressStatus extends t.Static<typeof IngressStatus> {}

export const Ingress = t.kind(
  'extensions/v1beta1.Ingress',
  'extensions/v1beta1',
  { plural: 'ingresses', shortNames: ['ing'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, IngressSpec),
    status: t.optional(3, IngressStatus),
  },
);
export interface Ingress extends t.Static<typeof Ingress> {}
