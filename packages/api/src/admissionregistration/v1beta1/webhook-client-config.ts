import { always, bytes, int32, optional, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ServiceReference = struct('admissionregistration/v1beta1.ServiceReference', {
  namespace: always(1, string),
  name: always(2, string),
  path: pointer(3, string),
  port: pointer(4, int32, { default: 443 }),
});
export interface ServiceReference extends Static<typeof ServiceReference> {}

export const WebhookClientConfig = struct('admissionregistration/v1beta1.WebhookClientConfig', {
  url: pointer(3, string, { go: 'URL' }),
  service: pointer(1, ServiceReference),
  caBundle: optional(2, bytes, { go: 'CABundle' }),
});
export interface WebhookClientConfig extends Static<typeof WebhookClientConfig> {}
