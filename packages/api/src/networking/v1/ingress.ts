import {
  always,
  atomicList,
  embedded,
  int32,
  kind,
  nullable,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { TypedLocalObjectReference } from '../../core/v1/typed-local-object-reference.ts';
import { ingressColumns } from './ingress-columns.ts';
import { validateIngress, validateIngressStatus } from './ingress-validation.ts';
import { ingressWarnings } from './ingress-warnings.ts';
import { balancerStatusWarnings } from '../../core/v1/load-balancer-warnings.ts';

export const ServiceBackendPort = struct(
  'networking/v1.ServiceBackendPort',
  {
    name: optional(1, string),
    number: optional(2, int32),
  },
  { atomic: true },
);
export interface ServiceBackendPort extends Static<typeof ServiceBackendPort> {}

export const IngressServiceBackend = struct('networking/v1.IngressServiceBackend', {
  name: always(1, string, { required: true }),
  port: optional(2, ServiceBackendPort),
});
export interface IngressServiceBackend extends Static<typeof IngressServiceBackend> {}

export const IngressBackend = struct('networking/v1.IngressBackend', {
  service: pointer(4, IngressServiceBackend),
  resource: pointer(3, TypedLocalObjectReference),
});
export interface IngressBackend extends Static<typeof IngressBackend> {}

export const HTTPIngressPath = struct('networking/v1.HTTPIngressPath', {
  path: optional(1, string),
  pathType: nullable(3, named('v1.PathType', oneOf(['Exact', 'Prefix', 'ImplementationSpecific'])), {
    required: true,
  }),
  backend: always(2, IngressBackend, { required: true }),
});
export interface HTTPIngressPath extends Static<typeof HTTPIngressPath> {}

export const HTTPIngressRuleValue = struct('networking/v1.HTTPIngressRuleValue', {
  paths: always(1, atomicList(HTTPIngressPath), { required: true }),
});
export interface HTTPIngressRuleValue extends Static<typeof HTTPIngressRuleValue> {}

export const IngressTLS = struct('networking/v1.IngressTLS', {
  hosts: optional(1, atomicList(string)),
  secretName: optional(2, string),
});
export interface IngressTLS extends Static<typeof IngressTLS> {}

export const IngressRuleValue = struct('networking/v1.IngressRuleValue', {
  http: pointer(1, HTTPIngressRuleValue, { go: 'HTTP', undocumented: true }),
});
export interface IngressRuleValue extends Static<typeof IngressRuleValue> {}

export const IngressRule = struct('networking/v1.IngressRule', {
  host: optional(1, string),
  ingressRuleValue: embedded(2, IngressRuleValue),
});
export interface IngressRule extends Static<typeof IngressRule> {}

export const IngressSpec = struct('networking/v1.IngressSpec', {
  ingressClassName: pointer(4, string),
  defaultBackend: pointer(1, IngressBackend),
  tls: optional(2, atomicList(IngressTLS), { go: 'TLS' }),
  rules: optional(3, atomicList(IngressRule)),
});
export interface IngressSpec extends Static<typeof IngressSpec> {}

export const IngressPortStatus = struct('networking/v1.IngressPortStatus', {
  port: always(1, int32, { required: true }),
  protocol: always(2, named('v1.Protocol', oneOf(['TCP', 'UDP', 'SCTP'])), { required: true }),
  error: pointer(3, string),
});
export interface IngressPortStatus extends Static<typeof IngressPortStatus> {}

export const IngressLoadBalancerIngress = struct('networking/v1.IngressLoadBalancerIngress', {
  ip: optional(1, string, { go: 'IP' }),
  hostname: optional(2, string),
  ports: optional(4, atomicList(IngressPortStatus)),
});
export interface IngressLoadBalancerIngress extends Static<typeof IngressLoadBalancerIngress> {}

export const IngressLoadBalancerStatus = struct('networking/v1.IngressLoadBalancerStatus', {
  ingress: optional(1, atomicList(IngressLoadBalancerIngress)),
});
export interface IngressLoadBalancerStatus extends Static<typeof IngressLoadBalancerStatus> {}

export const IngressStatus = struct('networking/v1.IngressStatus', {
  loadBalancer: optional(1, IngressLoadBalancerStatus),
});
export interface IngressStatus extends Static<typeof IngressStatus> {}

export const Ingress = kind(
  'networking/v1.Ingress',
  'networking.k8s.io/v1',
  { plural: 'ingresses', shortNames: ['ing'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, IngressSpec),
    status: optional(3, IngressStatus),
  },
  {
    validate: validateIngress,
    validateStatus: validateIngressStatus,
    warnings: ingressWarnings,
    statusWarnings: balancerStatusWarnings,
    columns: ingressColumns,
  },
);
export interface Ingress extends Static<typeof Ingress> {}
