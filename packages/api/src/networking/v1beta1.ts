import * as t from '@coxswain/schema';
import { TypedLocalObjectReference } from '../core/v1/typed-local-object-reference.ts';
import * as v1 from './v1/index.ts';

export const IngressBackend = t.struct('networking/v1beta1.IngressBackend', {
  serviceName: t.optional(1, t.string),
  servicePort: t.optional(2, t.intOrString),
  resource: t.pointer(3, TypedLocalObjectReference),
});
export interface IngressBackend extends t.Static<typeof IngressBackend> {}

export const HTTPIngressPath = t.struct('networking/v1beta1.HTTPIngressPath', {
  path: t.optional(1, t.string),
  pathType: t.pointer(3, t.named('v1beta1.PathType', t.string), { default: 'ImplementationSpecific' }),
  backend: t.always(2, IngressBackend),
});
export interface HTTPIngressPath extends t.Static<typeof HTTPIngressPath> {}

export const HTTPIngressRuleValue = t.struct('networking/v1beta1.HTTPIngressRuleValue', {
  paths: t.always(1, t.atomicList(HTTPIngressPath)),
});
export interface HTTPIngressRuleValue extends t.Static<typeof HTTPIngressRuleValue> {}

export const IngressTLS = t.structIn('networking/v1beta1', v1.IngressTLS);
export interface IngressTLS extends t.Static<typeof IngressTLS> {}

export const IngressRuleValue = t.struct('networking/v1beta1.IngressRuleValue', {
  http: t.pointer(1, HTTPIngressRuleValue, { go: 'HTTP' }),
});
export interface IngressRuleValue extends t.Static<typeof IngressRuleValue> {}

export const IngressRule = t.struct('networking/v1beta1.IngressRule', {
  host: t.optional(1, t.string),
  ingressRuleValue: t.embedded(2, IngressRuleValue),
});
export interface IngressRule extends t.Static<typeof IngressRule> {}

export const IngressSpec = t.struct('networking/v1beta1.IngressSpec', {
  ingressClassName: t.pointer(4, t.string),
  backend: t.pointer(1, IngressBackend),
  tls: t.optional(2, t.atomicList(IngressTLS), { go: 'TLS' }),
  rules: t.optional(3, t.atomicList(IngressRule)),
});
export interface IngressSpec extends t.Static<typeof IngressSpec> {}

export const IngressPortStatus = t.struct('networking/v1beta1.IngressPortStatus', {
  port: t.always(1, t.int32),
  protocol: t.always(2, t.named('v1.Protocol', t.string)),
  error: t.pointer(3, t.string),
});
export interface IngressPortStatus extends t.Static<typeof IngressPortStatus> {}

export const IngressLoadBalancerIngress = t.structIn('networking/v1beta1', v1.IngressLoadBalancerIngress, {
  fields: { ports: t.optional(4, t.atomicList(IngressPortStatus)) },
});
export interface IngressLoadBalancerIngress extends t.Static<typeof IngressLoadBalancerIngress> {}

export const IngressLoadBalancerStatus = t.struct('networking/v1beta1.IngressLoadBalancerStatus', {
  ingress: t.optional(1, t.atomicList(IngressLoadBalancerIngress)),
});
export interface IngressLoadBalancerStatus extends t.Static<typeof IngressLoadBalancerStatus> {}

export const IngressStatus = t.struct('networking/v1beta1.IngressStatus', {
  loadBalancer: t.optional(1, IngressLoadBalancerStatus),
});
export interface IngressStatus extends t.Static<typeof IngressStatus> {}

export const Ingress = t.kindIn('networking/v1beta1', v1.Ingress, {
  fields: { spec: t.optional(2, IngressSpec), status: t.optional(3, IngressStatus) },
});
export interface Ingress extends t.Static<typeof Ingress> {}

export const IngressClassParametersReference = t.structIn(
  'networking/v1beta1',
  v1.IngressClassParametersReference,
  { fields: { kind: t.always(2, t.string), name: t.always(3, t.string), scope: t.nullable(4, t.string) } },
);
export interface IngressClassParametersReference extends t.Static<typeof IngressClassParametersReference> {}

export const IngressClassSpec = t.struct('networking/v1beta1.IngressClassSpec', {
  controller: t.optional(1, t.string),
  parameters: t.pointer(2, IngressClassParametersReference),
});
export interface IngressClassSpec extends t.Static<typeof IngressClassSpec> {}

export const IngressClass = t.kindIn('networking/v1beta1', v1.IngressClass, {
  fields: { spec: t.optional(2, IngressClassSpec) },
  shared: ['columns'],
});
export interface IngressClass extends t.Static<typeof IngressClass> {}

export const IPAddress = t.kindIn('networking/v1beta1', v1.IPAddress, { shared: ['validate', 'columns'] });
export interface IPAddress extends t.Static<typeof IPAddress> {}

export const ServiceCIDR = t.kindIn('networking/v1beta1', v1.ServiceCIDR, {
  shared: ['validate', 'validateStatus', 'columns'],
});
export interface ServiceCIDR extends t.Static<typeof ServiceCIDR> {}
