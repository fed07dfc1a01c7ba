import {
  always,
  bytes,
  int32,
  int64,
  kind,
  list,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { defaultColumns } from '../../meta/columns.ts';
import type { SpecObject } from '../../meta/kind-object.ts';
import { validateAuditSink } from '../audit-sink-validation.ts';

export const Policy = struct('auditregistration/v1alpha1.Policy', {
  level: always(1, string),
  stages: always(2, list(string)),
});
export interface Policy extends Static<typeof Policy> {}

export const WebhookThrottleConfig = struct('auditregistration/v1alpha1.WebhookThrottleConfig', {
  qps: pointer(1, int64, { go: 'QPS', default: 10 }),
  burst: pointer(2, int64, { default: 15 }),
});
export interface WebhookThrottleConfig extends Static<typeof WebhookThrottleConfig> {}

export const ServiceReference = struct('auditregistration/v1alpha1.ServiceReference', {
  namespace: always(1, string),
  name: always(2, string),
  path: pointer(3, string),
  port: pointer(4, int32, { default: 443 }),
});
export interface ServiceReference extends Static<typeof ServiceReference> {}

export const WebhookClientConfig = struct('auditregistration/v1alpha1.WebhookClientConfig', {
  url: pointer(1, string, { go: 'URL' }),
  service: pointer(2, ServiceReference),
  caBundle: optional(3, bytes, { go: 'CABundle' }),
});
export interface WebhookClientConfig extends Static<typeof WebhookClientConfig> {}

export const Webhook = struct('auditregistration/v1alpha1.Webhook', {
  throttle: pointer(1, WebhookThrottleConfig),
  clientConfig: always(2, WebhookClientConfig),
});
export interface Webhook extends Static<typeof Webhook> {}

export const AuditSinkSpec = struct('auditregistration/v1alpha1.AuditSinkSpec', {
  policy: always(1, Policy),
  webhook: always(2, Webhook),
});
export interface AuditSinkSpec extends Static<typeof AuditSinkSpec> {}

export const AuditSink = kind(
  'auditregistration/v1alpha1.AuditSink',
  'auditregistration.k8s.io/v1alpha1',
  { plural: 'auditsinks', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, AuditSinkSpec),
  },
  { defaults: [defaultThrottle], validate: validateAuditSink, columns: defaultColumns },
);
export interface AuditSink extends Static<typeof AuditSink> {}

/** A throttle that isn't told at all has the values of an empty one. */
function defaultThrottle({ spec }: SpecObject<AuditSinkSpec>): void {
  spec.webhook.throttle ??= { qps: 10, burst: 15 };
}
