/** Calls webhooks over the network; the code is loaded with the first call. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import type { ServiceResolver } from '../service-address.ts';
import type { WebhookCaller, WebhookDials } from './webhook-caller.ts';

export function lazyWebhookCaller(resolve: ServiceResolver, dials: WebhookDials = {}): WebhookCaller {
  let made: Promise<WebhookCaller> | undefined;
  const load = async (): Promise<WebhookCaller> => {
    const { networkWebhookCaller } = await inWallTime(() => import('./network-webhook-caller.ts'));
    return networkWebhookCaller(resolve, dials);
  };
  return {
    send: async (request) => (await (made ??= load())).send(request),
    close: () => whenFulfilled(made, (caller) => caller.close()),
  };
}
