/** Calls webhooks whose Services select simulated pods. */

import { unlessAborted } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Address, ServiceResolver } from '@coxswain/kube-apiserver/service-address.ts';
import {
  WebhookDialError,
  type WebhookCaller,
  type WebhookHttpAnswer,
  type WebhookRequest,
} from '@coxswain/kube-apiserver/webhooks/webhook-caller.ts';
import { webhookHeaders } from '@coxswain/kube-apiserver/webhooks/webhook-headers.ts';
import { headerOf } from '@coxswain/simulated-nodes/network/http-message.ts';
import { failureText, headerPairs, type FoundPlace, type SimulatedPlaces } from './simulated-places.ts';

/** @param elsewhere creates the caller of all other webhooks */
export function simulatedWebhookCaller(
  places: SimulatedPlaces,
  resolve: ServiceResolver,
  elsewhere: (resolve: ServiceResolver) => WebhookCaller,
): WebhookCaller {
  const find = async (service: Parameters<ServiceResolver>[0]): Promise<FoundPlace> => {
    const address = await resolve(service);
    return places.find(address).catch((failure: unknown) => {
      throw new WebhookDialError(failureText(failure, address), { cause: failure });
    });
  };
  const network = elsewhere(async (service) => (await find(service)).address);
  return {
    async send(request) {
      const { service, port } = request.endpoint;
      if (service === undefined) return network.send(request);
      request.signal.throwIfAborted();
      const { address, isSimulated } = await find({ ...service, port }).catch((failure: unknown) => {
        throw failure instanceof WebhookDialError
          ? failure
          : new WebhookDialError(messageOf(failure), { cause: failure });
      });
      return isSimulated ? exchanged(places, address, request) : network.send(request);
    },
    close: () => network.close(),
  };
}

async function exchanged(
  places: SimulatedPlaces,
  address: Address,
  request: WebhookRequest,
): Promise<WebhookHttpAnswer> {
  const { endpoint, method, path, body = '', signal } = request;
  try {
    const sent = places.send(address, endpoint.origin.startsWith('https:'), {
      method,
      path,
      headers: [['host', new URL(endpoint.origin).host], ...headerPairs(webhookHeaders(request))],
      body: new TextEncoder().encode(body),
    });
    const answer = await unlessAborted(signal, sent);
    return {
      status: answer.status,
      header: (name) => headerOf(answer, name),
      body: new TextDecoder().decode(answer.body),
    };
  } catch (failure) {
    if (signal.aborted) throw signal.reason;
    throw new WebhookDialError(failureText(failure, address), { cause: failure });
  }
}
