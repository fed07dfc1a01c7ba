/** Admission and conversion webhooks that are functions of this process. */

import { unlessAborted } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { beginInWallTime } from '@coxswain/apimachinery/wall-time.ts';
import {
  WebhookDialError,
  type WebhookCaller,
  type WebhookHttpAnswer,
  type WebhookRequest,
} from '@coxswain/kube-apiserver/webhooks/webhook-caller.ts';
import type { WebhookHandler, Webhooks } from '../../types/testing.d.ts';

/**
 * How long, in real time, the cluster's clock waits for a webhook; after that it continues and the webhook's own
 * timeout applies.
 */
const patienceMs = 500;

export class DefinedWebhooks implements Webhooks {
  readonly #handlers = new Map<string, WebhookHandler>();

  /** @param from a set whose webhooks are defined here as well */
  constructor(from?: DefinedWebhooks) {
    for (const [url, handler] of from === undefined ? [] : from.#handlers) this.#handlers.set(url, handler);
  }

  get urls(): readonly string[] {
    return [...this.#handlers.keys()];
  }

  define(url: string, handler: WebhookHandler): void {
    if (typeof handler !== 'function') throw new TypeError(`webhook ${url}: the handler must be a function`);
    this.#handlers.set(keyOf(url), handler);
  }

  remove(url: string): void {
    this.#handlers.delete(keyOf(url));
  }

  find({ endpoint: { origin }, path }: WebhookRequest): WebhookHandler | undefined {
    return this.#handlers.get(keyOf(`${origin}${path}`));
  }
}

/** Port 443 may be omitted; the query is added by the API server. @throws TypeError for an invalid address */
function keyOf(url: string): string {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new TypeError(`a webhook has a URL such as https://policy.default.svc/validate, not ${url}`);
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** @param elsewhere calls the webhooks that are not defined */
export const definedWebhookCaller = (webhooks: DefinedWebhooks, elsewhere: WebhookCaller): WebhookCaller => ({
  send(request) {
    const handler = webhooks.find(request);
    return handler === undefined ? elsewhere.send(request) : answered(handler, request);
  },
  close: () => elsewhere.close(),
});

/** Returns the response that a server would give for the function. */
async function answered(
  handler: WebhookHandler,
  { body = '', signal }: WebhookRequest,
): Promise<WebhookHttpAnswer> {
  signal.throwIfAborted();
  const endWork = beginInWallTime(patienceMs);
  const answer = (async () => handler(JSON.parse(body)))();
  try {
    return jsonAnswer(await unlessAborted(signal, answer));
  } catch (failure) {
    if (failure instanceof WebhookDialError) throw failure;
    const isBadReview = (failure as Error | undefined)?.name === 'BadReview';
    return plainAnswer(isBadReview ? 400 : 500, messageOf(failure));
  } finally {
    endWork();
  }
}

const jsonAnswer = (value: unknown): WebhookHttpAnswer => ({
  status: 200,
  header: (name) => (name === 'content-type' ? 'application/json' : undefined),
  body: JSON.stringify(value) ?? '',
});

const plainAnswer = (status: number, text: string): WebhookHttpAnswer => ({
  status,
  header: (name) => (name === 'content-type' ? 'text/plain; charset=utf-8' : undefined),
  body: `${text}\n`,
});
