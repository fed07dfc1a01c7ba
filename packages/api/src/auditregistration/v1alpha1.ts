import * as t from '@coxswain/schema';
import { defaultColumns } from '../meta/columns.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { validateAuditSink } from './audit-sink-validation.ts';

export const Policy = t.struct('auditregistration/v1alpha1.Policy', {
  level: t.always(1, t.string),
  stages: t.always(2, t.list(t.string)),
});
export interface Policy extends t.Static<typeof Policy> {}

export const WebhookThrottleConfig = t.struct('auditregistration/v1alpha1.WebhookThrottleConfig', {
  qps: t.pointer(1, t.int64, { go: 'QPS', default: 10 }),
  burst: t.pointer(2, t.int64, { default: 15 }),
});
export interface WebhookThrottleConfig extends t.Static<typeof WebhookThrottleConfig> {}

export const ServiceReference = t.struct('auditregistration/v1alpha1.ServiceReference', {
  namespace: t.always(1, t.string),
  name: t.always(2, t.string),
  path: t.pointer(3, t.string),
  port: t.pointer(4, t.int32, { default: 443 }),
});
export interface ServiceReference extends t.Static<typeof ServiceReference> {}

export const WebhookClientConfig = t.struct('auditregistration/v1alpha1.WebhookClientConfig', {
  url: t.pointer(1, t.string, { go: 'URL' }),
  service: t.pointer(2, ServiceReference),
  caBundle: t.optional(3, t.bytes, { go: 'CABundle' }),
});
export interface WebhookClientConfig extends t.Static<typeof WebhookClientConfig> {}

export const Webhook = t.struct('auditregistration/v1alpha1.Webhook', {
  throttle: t.pointer(1, WebhookThrottleConfig),
  clientConfig: t.always(2, WebhookClientConfig),
});
export interface Webhook extends t.Static<typeof Webhook> {}

export const AuditSinkSpec = t.struct('auditregistration/v1alpha1.AuditSinkSpec', {
  policy: t.always(1, Policy),
  webhook: t.always(2, Webhook),
});
export interface AuditSinkSpec extends t.Static<typeof AuditSinkSpec> {}

export const AuditSink = t.kind(
  'auditregistration/v1alpha1.AuditSink',
  'auditregistration.k8s.io/v1alpha1',
  { plural: 'auditsinks', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, AuditSinkSpec),
  },
  { defaults: [defaultThrottle], validate: validateAuditSink, columns: defaultColumns },
);
export interface AuditSink extends t.Static<typeof AuditSink> {}

/** An absent throttle gets the defaults of an empty one. */
function defaultThrottle({ spec }: SpecObject<AuditSinkSpec>): void {
  spec.webhook.throttle ??= { qps: 10, burst: 15 };
}
