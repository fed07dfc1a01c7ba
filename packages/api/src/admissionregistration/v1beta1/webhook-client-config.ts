import * as t from '@coxswain/schema';
import * as v1 from '../v1/webhook-client-config.ts';

export const ServiceReference = t.structIn('admissionregistration/v1beta1', v1.ServiceReference, {
  fields: { namespace: t.always(1, t.string), name: t.always(2, t.string) },
});
export interface ServiceReference extends t.Static<typeof ServiceReference> {}

export const WebhookClientConfig = t.structIn('admissionregistration/v1beta1', v1.WebhookClientConfig, {
  fields: { service: t.pointer(1, ServiceReference) },
});
export interface WebhookClientConfig extends t.Static<typeof WebhookClientConfig> {}
