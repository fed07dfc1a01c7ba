import * as t from '@coxswain/schema';

export const ServiceReference = t.struct('admissionregistration/v1beta1.ServiceReference', {
  namespace: t.always(1, t.string),
  name: t.always(2, t.string),
  path: t.pointer(3, t.string),
  port: t.pointer(4, t.int32, { default: 443 }),
});
export interface ServiceReference extends t.Static<typeof ServiceReference> {}

export const WebhookClientConfig = t.struct('admissionregistration/v1beta1.WebhookClientConfig', {
  url: t.pointer(3, t.string, { go: 'URL' }),
  service: t.pointer(1, ServiceReference),
  caBundle: t.optional(2, t.bytes, { go: 'CABundle' }),
});
export interface WebhookClientConfig extends t.Static<typeof WebhookClientConfig> {}
