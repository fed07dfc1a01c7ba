/** The way to webhooks of admission and conversion. */
import type { ObjectReader } from '../admission/object-reader.ts';
import { serviceResolver } from '../aggregator/service-address.ts';
import { lazyWebhookCaller } from '../webhooks/lazy-webhook-caller.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { Loopback } from './loopback.ts';

export function webhookCallerOf(
  { webhookCaller, random, asksExtensionEndpoints }: CompletedOptions,
  { objects, loopback }: { readonly objects: ObjectReader; readonly loopback: Loopback },
): WebhookCaller {
  const self = () => loopback.address;
  const resolve = serviceResolver({ objects, random, asksEndpoints: asksExtensionEndpoints, self });
  return webhookCaller?.(resolve) ?? lazyWebhookCaller(resolve);
}
