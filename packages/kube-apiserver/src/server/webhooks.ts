/** Creates the caller of admission and conversion webhooks. */
import { serviceResolver } from '../service-address.ts';
import { lazyWebhookCaller } from '../webhooks/lazy-webhook-caller.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { ServerState } from './server-state.ts';

export function webhookCallerOf(
  { webhookCaller, transient: { random }, asksExtensionEndpoints }: CompletedOptions,
  { objects, loopback }: ServerState,
): WebhookCaller {
  const self = () => loopback.address;
  const resolve = serviceResolver({ objects, random, asksEndpoints: asksExtensionEndpoints, self });
  return webhookCaller?.(resolve) ?? lazyWebhookCaller(resolve);
}
