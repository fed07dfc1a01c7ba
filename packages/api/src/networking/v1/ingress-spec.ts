import * as t from '@coxswain/schema';
import { TypedLocalObjectReference } from '../../core/v1/typed-local-object-reference.ts';

export const ServiceBackendPort = t.struct(
  'networking/v1.ServiceBackendPort',
  {
    name: t.optional(1, t.string),
    number: t.optional(2, t.int32),
  },
  { atomic: true },
);
export interface ServiceBackendPort extends t.Static<typeof ServiceBackendPort> {}

export const IngressServiceBackend = t.struct('networking/v1.IngressServiceBackend', {
  name: t.always(1, t.string, { required: true }),
  port: t.optional(2, ServiceBackendPort),
});
export interface IngressServiceBackend extends t.Static<typeof IngressServiceBackend> {}

export const IngressBackend = t.struct('networking/v1.IngressBackend', {
  service: t.pointer(4, IngressServiceBackend),
  resource: t.pointer(3, TypedLocalObjectReference),
});
export interface IngressBackend extends t.Static<typeof IngressBackend> {}

export const HTTPIngressPath = t.struct('networking/v1.HTTPIngressPath', {
  path: t.optional(1, t.string),
  pathType: t.nullable(3, t.named('v1.PathType', t.oneOf(['Exact', 'Prefix', 'ImplementationSpecific'])), {
    required: true,
  }),
  backend: t.always(2, IngressBackend, { required: true }),
});
export interface HTTPIngressPath extends t.Static<typeof HTTPIngressPath> {}

export const HTTPIngressRuleValue = t.struct('networking/v1.HTTPIngressRuleValue', {
  paths: t.always(1, t.atomicList(HTTPIngressPath), { required: true }),
});
export interface HTTPIngressRuleValue extends t.Static<typeof HTTPIngressRuleValue> {}

export const IngressTLS = t.struct('networking/v1.IngressTLS', {
  hosts: t.optional(1, t.atomicList(t.string)),
  secretName: t.optional(2, t.string),
});
export interface IngressTLS extends t.Static<typeof IngressTLS> {}

export const IngressRuleValue = t.struct('networking/v1.IngressRuleValue', {
  http: t.pointer(1, HTTPIngressRuleValue, { go: 'HTTP', undocumented: true }),
});
export interface IngressRuleValue extends t.Static<typeof IngressRuleValue> {}

export const IngressRule = t.struct('networking/v1.IngressRule', {
  host: t.optional(1, t.string),
  ingressRuleValue: t.embedded(2, IngressRuleValue),
});
export interface IngressRule extends t.Static<typeof IngressRule> {}

export const IngressSpec = t.struct('networking/v1.IngressSpec', {
  ingressClassName: t.pointer(4, t.string),
  defaultBackend: t.pointer(1, IngressBackend),
  tls: t.optional(2, t.atomicList(IngressTLS), { go: 'TLS' }),
  rules: t.optional(3, t.atomicList(IngressRule)),
});
export interface IngressSpec extends t.Static<typeof IngressSpec> {}
