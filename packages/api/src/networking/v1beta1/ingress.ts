import {
  always,
  atomicList,
  embedded,
  int32,
  intOrString,
  kind,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { TypedLocalObjectReference } from '../../core/v1/typed-local-object-reference.ts';

export const IngressBackend = struct('networking/v1beta1.IngressBackend', {
  serviceName: optional(1, string),
  servicePort: optional(2, intOrString),
  resource: pointer(3, TypedLocalObjectReference),
});
export interface IngressBackend extends Static<typeof IngressBackend> {}

export const HTTPIngressPath = struct('networking/v1beta1.HTTPIngressPath', {
  path: optional(1, string),
  pathType: pointer(3, named('v1beta1.PathType', string), { default: 'ImplementationSpecific' }),
  backend: always(2, IngressBackend),
});
export interface HTTPIngressPath extends Static<typeof HTTPIngressPath> {}

export const HTTPIngressRuleValue = struct('networking/v1beta1.HTTPIngressRuleValue', {
  paths: always(1, atomicList(HTTPIngressPath)),
});
export interface HTTPIngressRuleValue extends Static<typeof HTTPIngressRuleValue> {}

export const IngressTLS = struct('networking/v1beta1.IngressTLS', {
  hosts: optional(1, atomicList(string)),
  secretName: optional(2, string),
});
export interface IngressTLS extends Static<typeof IngressTLS> {}

export const IngressRuleValue = struct('networking/v1beta1.IngressRuleValue', {
  http: pointer(1, HTTPIngressRuleValue, { go: 'HTTP' }),
});
export interface IngressRuleValue extends Static<typeof IngressRuleValue> {}

export const IngressRule = struct('networking/v1beta1.IngressRule', {
  host: optional(1, string),
  ingressRuleValue: embedded(2, IngressRuleValue),
});
export interface IngressRule extends Static<typeof IngressRule> {}

export const IngressSpec = struct('networking/v1beta1.IngressSpec', {
  ingressClassName: pointer(4, string),
  backend: pointer(1, IngressBackend),
  tls: optional(2, atomicList(IngressTLS), { go: 'TLS' }),
  rules: optional(3, atomicList(IngressRule)),
});
export interface IngressSpec extends Static<typeof IngressSpec> {}

export const IngressPortStatus = struct('networking/v1beta1.IngressPortStatus', {
  port: always(1, int32),
  protocol: always(2, named('v1.Protocol', string)),
  error: pointer(3, string),
});
export interface IngressPortStatus extends Static<typeof IngressPortStatus> {}

export const IngressLoadBalancerIngress = struct('networking/v1beta1.IngressLoadBalancerIngress', {
  ip: optional(1, string, { go: 'IP' }),
  hostname: optional(2, string),
  ports: optional(4, atomicList(IngressPortStatus)),
});
export interface IngressLoadBalancerIngress extends Static<typeof IngressLoadBalancerIngress> {}

export const IngressLoadBalancerStatus = struct('networking/v1beta1.IngressLoadBalancerStatus', {
  ingress: optional(1, atomicList(IngressLoadBalancerIngress)),
});
export interface IngressLoadBalancerStatus extends Static<typeof IngressLoadBalancerStatus> {}

export const IngressStatus = struct('networking/v1beta1.IngressStatus', {
  loadBalancer: optional(1, IngressLoadBalancerStatus),
});
export interface IngressStatus extends Static<typeof IngressStatus> {}

export const Ingress = kind(
  'networking/v1beta1.Ingress',
  'networking.k8s.io/v1beta1',
  { plural: 'ingresses', shortNames: ['ing'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, IngressSpec),
    status: optional(3, IngressStatus),
  },
);
export interface Ingress extends Static<typeof Ingress> {}
